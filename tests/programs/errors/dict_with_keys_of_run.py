# entry: f
# args: 1.5, 5
# exit: 2
# message: keys of a dict are constants of the program
# line: 15
# note: a table that grows by keys that only the run knows is a list


def f(x, n):
    table = {}

    def fibonacci(k):
        if k in table:
            return table[k]
        table[k] = x**k if k < 2 else fibonacci(k - 1) * 0.5 + fibonacci(k - 2)
        return table[k]

    return fibonacci(n)
