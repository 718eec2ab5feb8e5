# entry: f
# args: 2.0
# exit: 3
# message: class
# line: 9


def f(x):
    class Point:
        def get(self):
            return x

    return Point().get()
