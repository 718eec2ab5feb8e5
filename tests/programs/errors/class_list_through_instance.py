# entry: f
# args: 2.0
# exit: 3
# message: `t` shares memory with what is defined outside
# line: 14
class C:
    items = [1.0]



def f(x):
    c = C()
    t = c.items
    t.append(x)
    return sum(C.items) * x
