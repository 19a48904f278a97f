"""Tables, plots and HTML pages, drawn from results and from nothing else."""
