# entry: f
# args: 2.0
# note: functions that change what is defined at the top level, and one that is called before a name is bound again
def add(v):
    L.append(v)
    return len(L)


L = []
a = add(1.0)
b = add(5.0)
count = 0


def next_one():
    global count
    count += 1
    return count


c = next_one()
d = next_one() * 10
scale = 1.0


def scaled(x):
    return x * scale


early = scaled(2.0)
scale = 5.0


def f(x):
    return (sum(L) + a + 10 * b) * x + c + d + count + early * scaled(x)
