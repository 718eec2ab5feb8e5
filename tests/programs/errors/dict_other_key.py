# entry: f
# args: 2.0
# exit: 2
# message: its keys are 'alpha', 3
# line: 8
# note: a key that a dict does not have, nor one like it
def f(x):
    return {"alpha": x, 3: 1.0}[0]
