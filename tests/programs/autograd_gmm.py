# entry: f
# args: [[0.2, -0.4], [1.1, 0.7]]
# by: autograd
# note: a mixture of normal distributions, one recurrent network over it, and Newton's method on Rosenbrock's function

import autograd.numpy as np
import autograd.scipy.stats.multivariate_normal as mvn
from autograd import grad, hessian
from autograd.scipy.special import logsumexp


def log_gaussian_mixture(params, data):
    cluster_lls = []
    for log_proportion, mean in zip(np.log(params["proportions"]), params["means"]):
        cov = np.dot(params["root"].T, params["root"])
        cluster_lls.append(log_proportion + mvn.logpdf(data, mean, cov))
    return np.sum(logsumexp(np.vstack(cluster_lls), axis=0))


def concat_and_multiply(weights, *args):
    cat_state = np.hstack(args + (np.ones((args[0].shape[0], 1)),))
    return np.dot(cat_state, weights)


def rnn_predict(weights, inputs):
    hiddens = np.repeat(np.zeros((1, 2)), inputs.shape[0], axis=0)
    outputs = []
    for t in range(3):
        hiddens = np.tanh(concat_and_multiply(weights, inputs, hiddens))
        outputs.append(hiddens - logsumexp(hiddens, axis=1, keepdims=True))
    return outputs


def rosenbrock(x):
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


def newton(x):
    for _ in range(2):
        x = x - np.linalg.solve(hessian(rosenbrock)(x), grad(rosenbrock)(x))
    return x


def f(data):
    params = {"proportions": np.array([0.3, 0.7]), "means": np.array([[0.0, 0.1], [1.0, 0.5]]), "root": np.array([[1.2, 0.3], [0.0, 0.9]])}
    weights = np.sin(np.arange(10.0)).reshape((5, 2))
    predicted = sum([np.sum(out * data) for out in rnn_predict(weights, data)])
    slopes = grad(log_gaussian_mixture)(params, data)
    return np.sum(slopes["means"] ** 2) + predicted + np.sum(newton(0.1 * data[0]))
