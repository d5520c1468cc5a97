"""The public functions, one module each: arguments to a request, the request carried out."""
