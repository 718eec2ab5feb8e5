# The cost of centroids is the sum of the squared distances of points to their nearest centroid. Its Hessian is diagonal, so its
# product with ones, a derivative of the gradient in one direction, is all of it: `dir` is the direction of Newton's method.

import numpy as np
from gradus import grad, jvp


def nearest(points, centroids):
    index = np.zeros(len(points), dtype=int)
    for i in range(len(points)):
        difference = centroids - points[i]
        index[i] = np.argmin(np.sum(difference * difference, axis=1))
    return index


def cost(points, centroids):
    difference = points - centroids[nearest(points, centroids)]
    return np.sum(difference * difference)


def dir(points, centroids):
    gradient, hessian = jvp(lambda c: grad(cost, 1)(points, c), (centroids,), (np.ones(centroids.shape),))
    return gradient / hessian
