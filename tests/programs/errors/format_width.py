# entry: f
# args: 1.0
# exit: 3
# message: the format `99999999999999999999` is not supported
# line: 7
def f(x):
    print(f"{x:99999999999999999999}")
    return x
