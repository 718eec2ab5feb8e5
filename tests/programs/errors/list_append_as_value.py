# entry: f
# args: 2.0
# exit: 2
# message: `append` gives nothing; it is a statement
# line: 9
# note: a method that gives nothing
def f(x):
    values = [x]
    return len(values.append(x)) * x
