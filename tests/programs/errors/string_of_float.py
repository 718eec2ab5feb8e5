# entry: f
# args: 2.0
# exit: 2
# message: write it where it is printed
# line: 8
# note: a string with a number in it that only the run knows
def f(x):
    name = f"x{x}"
    return {name: x}[name]
