"""The page: a local server for people without a terminal. Only views of requests and results, no logic of its own.

``app`` makes the application, ``guard`` checks who may ask for what, ``runs`` carries out requests in threads,
``run_routes`` shows them and their files, ``allowed`` reads what a page may name, ``forms`` holds what was sent and
what is wrong with it, ``rendering`` fills templates in the reader's language. Each tab is a module, which ``app`` and
the list of tabs in ``rendering`` name.
"""
