# entry: trained
# args: 0.3
# by: autograd
# note: a network with parameters in a list of pairs, trained by Autograd's `adam` and `sgd`

import autograd.numpy as np
from autograd import grad
from autograd.misc.flatten import flatten
from autograd.misc.optimizers import adam, rmsprop, sgd
from autograd.scipy.special import logsumexp


def init_params(scale, layer_sizes):
    return [
        (scale * np.cos(np.arange(m * n)).reshape((m, n)), scale * np.ones(n))
        for m, n in zip(layer_sizes[:-1], layer_sizes[1:])
    ]


def neural_net_predict(params, inputs):
    for W, b in params:
        outputs = np.dot(inputs, W) + b
        inputs = np.tanh(outputs)
    return outputs - logsumexp(outputs, axis=1, keepdims=True)


def l2_norm(params):
    flattened, _ = flatten(params)
    return np.dot(flattened, flattened)


def log_posterior(params, inputs, targets, L2_reg):
    log_prior = -L2_reg * l2_norm(params)
    log_lik = np.sum(neural_net_predict(params, inputs) * targets)
    return log_prior + log_lik


def trained(scale):
    inputs = np.array([[1.0, 0.5], [-0.3, 0.8], [0.2, -1.0]])
    targets = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])

    def objective(params, iter):
        return -log_posterior(params, inputs, targets, 0.1)

    params = init_params(scale, [2, 3, 2])
    params = adam(grad(objective), params, step_size=0.05, num_iters=2)
    params = sgd(grad(objective), params, num_iters=2, step_size=0.02)
    params = rmsprop(grad(objective), params, num_iters=1, step_size=0.01)
    return objective(params, 0)
