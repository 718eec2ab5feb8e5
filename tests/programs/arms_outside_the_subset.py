# entry: f
# args: 2.0
# by-hand
# order: 2
# closed: [5.049]
# note: arms that no call takes may hold anything, in functions that are given constants for it, too
import matplotlib.pyplot as plt


def descent(x, steps=3, plot=False, callback=None):
    losses = []
    for t in range(steps):
        x = x - 0.1 * x
        losses.append(x)
        if plot and t % 2 == 0:
            plt.plot(losses)
        elif callback is not None:
            callback.log(t, x)
            shown = lambda: plt.show()
    with_legend = plt.legend() if plot else 0.0
    if plot:
        with open("losses") as file:
            file.write(losses)
        try:
            plt.show()
        except OSError:
            pass
    return sum(losses) + with_legend


def f(x):
    return descent(x) + descent(x, 2) + descent(x, steps=1, plot=False, callback=None)
