# entry: f
# args: 1.5
# exit: 3
# message: would be done before anything asks for its elements
# line: 11
# note: nothing is printed before the sum
def f(x):
    def shown(v):
        print("shown", v)
        return v
    values = map(shown, [x, 2.0])
    print("made")
    return sum(values)
