"""The gateway as a process of its own: what goes between it and a run, and the two ends.

    run ─ Gateway ─ RemoteWeb ─┐                     ┌─ ServedRun ─ Gateway ─ the live web
                 RemoteSearch ─┴─ Session ═ frames ═ Server ─┴─ providers, with their keys

The run's own `Gateway` stays and decides first; what it allows, the other end decides again from what it has itself
seen, by the same code. So a run whose process was taken over can ask for no more than a run that was not.
"""
