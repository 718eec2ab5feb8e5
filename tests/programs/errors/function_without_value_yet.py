# entry: f
# args: 2.0
# exit: 1
# message: the variable `odd` has no value yet
# line: 10
# note: a function is called before one that it calls is defined, which only the run shows

def f(x):
    def even(n, v):
        return v if n == 0 else odd(n - 1, v)
    y = even(2, x)
    def odd(n, v):
        return even(n - 1, v * y)
    return y
