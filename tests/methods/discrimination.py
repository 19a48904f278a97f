"""Plain, slow versions of what DGI and MVGRL compute."""

import torch


def decided(module, *encoders):
    """The module in double precision, with a critic that has an opinion and biases that count."""
    module = module.double()
    with torch.no_grad():
        module.critic.weight.normal_()
        module.critic.bias.fill_(0.2)
        for encoder in encoders:
            getattr(module, encoder).biases[0].normal_()
    return module


def embedded(encoder, matrix, x):
    """``PReLU(P X W + b)``, dense."""
    hidden = matrix @ x @ encoder.weights[0] + encoder.biases[0]
    return torch.where(hidden > 0, hidden, encoder.acts[0].weight * hidden).detach()


def entropies(critic, real, fake, summarized):
    """Cross-entropy of each real and each fake node against the summary of some nodes."""
    summary = 1 / (1 + torch.exp(-sum(summarized) / len(summarized)))
    weight, bias = critic.weight.detach(), critic.bias.detach()
    terms = []
    for node in range(len(real)):
        yes = torch.sigmoid(real[node] @ weight @ summary + bias)
        no = torch.sigmoid(fake[node] @ weight @ summary + bias)
        terms += [float(-yes.log()), float(-(1 - no).log())]
    return terms
