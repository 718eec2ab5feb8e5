# entry: f
# args: 1.0
# exit: 2
# message: half of a pair of surrogates
# line: 8
def f(x):
    print("\U0001f600 \\ud800", x)
    return x if len("\ud800") == 1 else 0.0
