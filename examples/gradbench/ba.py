# Bundle adjustment: how far the images of points in cameras are from where they were observed, and the Jacobian of that, which is
# sparse. A camera is eleven numbers: an axis times the angle of rotation about it, its centre, focal length, principal point and
# radial distortion. Each observation has a camera, a point and a weight, so its errors depend on 15 numbers.
#
# An error of an observation depends on numbers of that observation alone: the pullback of ones, of either error of all
# observations, is a row of the Jacobian for each.

import numpy as np
from gradus import grad, vjp


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


# Rodrigues' formula, and its limit where there is no rotation.
def rotate(axis, x):
    square = dot(axis, axis)
    is_turned = square > 0.0
    angle = np.sqrt(np.where(is_turned, square, 1.0))
    cosine, sine = np.cos(angle), np.sin(angle) / angle
    along = dot(axis, x) * (1.0 - cosine) / (angle * angle)
    across = cross(axis, x)
    turned = [x[i] * cosine + across[i] * sine + axis[i] * along for i in range(3)]
    return [np.where(is_turned, turned[i], x[i] + across[i]) for i in range(3)]


# The errors of observations, each a column.
def errors(camera, point, weight, feature):
    x, y, z = rotate(camera[:3], [point[i] - camera[3 + i] for i in range(3)])
    x, y = x / z, y / z
    square = x * x + y * y
    distortion = 1.0 + camera[9] * square + camera[10] * square * square
    focal = distortion * camera[6]
    return weight * (x * focal + camera[7] - feature[0]), weight * (y * focal + camera[8] - feature[1])


def weight_error(weight):
    return 1.0 - weight * weight


# What the errors depend on, a column for each number of a camera, of a point and so on.
def columns(cameras, points, weights, observations, features):
    camera, point = observations[:, 0], observations[:, 1]
    return [c[camera] for c in cameras.T], [c[point] for c in points.T], weights, features.T


def objective(cameras, points, weights, observations, features):
    return np.stack(errors(*columns(cameras, points, weights, observations, features)), axis=1), weight_error(weights)


def jacobian(cameras, points, weights, observations, features):
    n, m, p = len(cameras), len(points), len(weights)
    _, pullback = vjp(errors, *columns(cameras, points, weights, observations, features))
    one, none = np.ones(p), np.zeros(p)
    rows = []
    for seed in ((one, none), (none, one)):
        dcamera, dpoint, dweight, _ = pullback(seed)
        rows = rows + dcamera + dpoint + [dweight]

    camera, point, own = 11 * observations[:, 0], 11 * n + 3 * observations[:, 1], 11 * n + 3 * m + np.arange(p)
    places = [camera + i for i in range(11)] + [point + i for i in range(3)] + [own]
    return {
        "rows": np.concatenate([15 * np.arange(2 * p), 30 * p + np.arange(p + 1)]),
        "cols": np.concatenate([np.stack(places + places, axis=1).ravel(), own]),
        "vals": np.concatenate([np.stack(rows, axis=1).ravel(), grad(lambda w: np.sum(weight_error(w)))(weights)]),
    }


# All cameras, points, weights and features of an input are alike, and they are observed in turns.
def prepare(n, m, p, cam, x, w, feat):
    turn = np.arange(p)
    return {
        "cameras": np.tile(cam, (n, 1)),
        "points": np.tile(x, (m, 1)),
        "weights": np.full(p, w),
        "observations": np.stack([turn % n, turn % m], axis=1),
        "features": np.tile(feat, (p, 1)),
    }


# So an answer is shown by what is repeated.
def objective_output(result):
    reprojection, weight = result
    return {
        "reproj_error": {"elements": reprojection[0], "repeated": len(reprojection)},
        "w_err": {"element": weight[0], "repeated": len(weight)},
    }


def jacobian_output(result):
    def ends(v):
        return np.concatenate([v[:30], v[-1:]])

    return {"rows": ends(result["rows"]), "cols": ends(result["cols"]), "vals": ends(result["vals"])}
