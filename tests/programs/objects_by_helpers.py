# entry: f
# args: 1.3
# args: -0.6
# note: functions that write to the lists that they are given, recursion among them


def swap(a, i, j):
    a[i], a[j] = a[j], a[i]


def partition(a, low, high):
    pivot = a[high]
    i = low
    for j in range(low, high):
        if a[j] < pivot:
            swap(a, i, j)
            i += 1
    swap(a, i, high)
    return i


def quicksort(a, low, high):
    if low < high:
        p = partition(a, low, high)
        quicksort(a, low, p - 1)
        quicksort(a, p + 1, high)


def push(stack, value):
    stack.append(value)


def scale(out, by):
    for i in range(len(out)):
        out[i] *= by


def f(x):
    a = [x, 0.7, x * x]
    push(a, 2.0)
    quicksort(a, 0, len(a) - 1)
    scale(a, x)
    total = 0.0
    for i in range(len(a)):
        total += (i + 1) * a[i]
    return total
