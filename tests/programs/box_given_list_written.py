# entry: f
# args: 1.5


from gradus import Box


def f(x):
    l = [1.0]
    b = Box(l)
    l.append(x)
    return sum(b.get())
