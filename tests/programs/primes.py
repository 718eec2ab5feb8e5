# entry: count
# args: 100
# note: integers and bools only


def count(n):
    found = 0
    for k in range(2, n):
        prime = True
        d = 2
        while d * d <= k:
            if k % d == 0:
                prime = False
                break
            d += 1
        if prime:
            found += 1
    return found
