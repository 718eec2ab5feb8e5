# entry: f
# args: 1.5
# note: what a called function writes is seen by who gave it the list, whether or not the result of the call is used
def f(x):
    def swap(l, i, j): l[i], l[j] = l[j], l[i]
    w = [x, 2.0 * x]
    _ = swap(w, 0, 1)
    return w[0]
