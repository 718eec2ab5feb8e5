# entry: f
# args: 0.7
# exit: 3
# message: shares memory with what is defined outside
# line: 9
CACHE = {"n": 0.0}

def f(x):
    CACHE["n"] = x
    return CACHE["n"] * x
