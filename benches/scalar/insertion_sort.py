def f(x, n):
    a = x.copy()
    for i in range(1, n):
        v = a[i]
        j = i - 1
        while j >= 0 and a[j] > v:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = v
    s = 0.0
    for i in range(n):
        s += a[i] * i
    return s
