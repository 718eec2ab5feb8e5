# Three centres among points, by Newton's method. The cost of a point is its squared distance to the nearest centre, so the Hessian is
# diagonal, and its product with ones, a derivative of the gradient in one direction, is all of it. A Newton step moves each centre to
# the mean of the points that are nearest to it. Gives the cost before each step; `data 90` is also in examples/points.npy.
#
#   $ gradus run examples/kmeans.py costs 4
#   [179.82316696544095, 89.65809814865308, 89.6580981486531, 89.6580981486531]

import numpy as np
from gradus import grad, jvp


def data(n):
    angle = 2.4 * np.arange(n)
    middle = np.array([[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]])[np.arange(n) % 3]
    return middle + np.stack([np.cos(angle), np.sin(2.0 * angle)], axis=1)


def cost(centres, points):
    difference = points[:, None, :] - centres
    return np.sum(np.min(np.sum(difference * difference, axis=2), axis=1))


def cluster(steps):
    points = data(90)
    centres = points[:3] + 0.5
    costs = np.zeros(steps)
    for i in range(steps):
        costs[i] = cost(centres, points)
        gradient, hessian = jvp(lambda c: grad(cost)(c, points), (centres,), (np.ones((3, 2)),))
        centres = centres - gradient / hessian
    return costs, centres


def costs(steps):
    return cluster(steps)[0]
