# entry: f
# args: 1.5, 3.0
# command: grad
# exit: 2
# message: returns an int
# line: 8
# note: what makes the result is looked for in a list that was made before the branch, its index after it
def f(x, m):
    l = [i * i for i in range(int(m))]
    if x > 1.0:
        return l[int(m)]
    return l[0]
