# entry: f
# args: 1.5
# exit: 3
# message: may have another name, too
# line: 17


def f(x):
    hist = [1.0]

    def add(v):
        nonlocal hist
        hist = hist + [v]

    add(x)
    a = hist
    hist.append(x)
    add(x)
    return sum(a)
