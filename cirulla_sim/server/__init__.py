"""The page: a local server for people without a terminal. Only views of requests and results, no logic of its own.

``app`` makes the application, ``guard`` checks who may ask for what, ``run_pages`` carries out requests in threads and
shows them and their files, ``forms`` reads what was sent and holds what is wrong with it, ``rendering`` fills templates
in the reader's language; the frame of all pages is that of reports. Each tab is a module, which ``app`` and the list of
tabs in ``rendering`` name.
"""
