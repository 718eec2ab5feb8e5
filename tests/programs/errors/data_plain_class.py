# entry: f
# args: 2.0
# exit: 3
# message: dataclass
# line: 7
# note: a class that is no dataclass
class Point:
    x: float
def f(x):
    return Point(x).x
