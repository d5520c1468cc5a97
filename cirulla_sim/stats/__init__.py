"""Estimates with confidence intervals, control variates, stratified sampling, distributions."""
