"""Where the files of a folder are read and embedded: in this process, or on a dask cluster.

Both call `one_file.py` for each file and nothing else, so they give the same bytes; only the order in which files are
done differs, and a library file is written in an order of its own.
"""

from __future__ import annotations

import contextlib
import logging
import tempfile
from collections.abc import AsyncIterator, Sequence

from terrarium.desk.one_file import Indexer, Job, Made, Refused, Setup, index_here
from terrarium.errors import ModelError, TerrariumError

IN_FLIGHT = 3  # files a thread of the cluster: one is done, the next ones are on their way
CONNECTING = 10  # seconds for a scheduler to answer
PATIENCE = 60  # seconds for a cluster's first worker
NOT_INSTALLED = "`--engine dask` needs the package distributed. Install it: pip install 'terrarium[dask]'."
UNREACHABLE = (
    "No dask scheduler with workers answers at {address} ({error}). Check the address, and that both of them run."
)
WORKER_FAILED = "A worker of the cluster failed on it ({reason})."
WORKER_DIED = (
    "Every process of the cluster that was given it ended, most likely for want of memory. "
    "Index it by itself on a machine with more memory, or split it."
)
Outcome = tuple[Job, Made | Refused]


async def in_this_process(setup: Setup, jobs: Sequence[Job]) -> AsyncIterator[Outcome]:
    """One file after another, on one core."""
    if jobs:
        indexer = await Indexer.open(setup)
        for job in jobs:
            yield job, await indexer.index(job)


async def on_dask(
    setup: Setup, jobs: Sequence[Job], *, scheduler: str | None = None, workers: int | None = None
) -> AsyncIterator[Outcome]:
    """On the cluster of the scheduler at that address; without one on a cluster of this machine's cores.

    The machines of a cluster need this package, the models' folder and the files under the same paths. A file that
    ends its worker (out of memory) is tried again a few times, then it alone is refused. Raises ModelError when a
    worker's embedder is not there or wrong, TerrariumError when there is no cluster.
    """
    try:
        from distributed import Client, KilledWorker, LocalCluster, as_completed  # noqa: PLC0415
    except ImportError as error:
        raise TerrariumError(NOT_INSTALLED) from error

    async with contextlib.AsyncExitStack() as stack:
        address: object = scheduler
        if scheduler is None:
            scratch = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
            address = await stack.enter_async_context(
                LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    host="127.0.0.1",
                    dashboard_address=None,
                    worker_dashboard_address=None,
                    local_directory=scratch,
                    silence_logs=logging.CRITICAL,
                    asynchronous=True,
                )
            )
        try:
            client = await stack.enter_async_context(Client(address, timeout=CONNECTING, asynchronous=True))
            await client.wait_for_workers(1, timeout=PATIENCE)
        except (OSError, ValueError, TimeoutError) as error:
            raise TerrariumError(UNREACHABLE.format(address=scheduler, error=error)) from error

        waiting = list(reversed(jobs))
        running: dict[str, Job] = {}
        done = as_completed()
        while waiting or running:
            threads = sum((await client.nthreads()).values())  # workers come and go
            while waiting and len(running) < IN_FLIGHT * threads:
                job = waiting.pop()
                future = client.submit(index_here, setup, job, pure=False)
                running[future.key] = job
                done.add(future)
            future = await anext(done)
            job = running.pop(future.key)
            failure = await future.exception()
            if isinstance(failure, ModelError):
                raise failure
            if failure is None:
                yield job, await future.result()
            else:
                killed = isinstance(failure, KilledWorker)
                yield job, Refused(WORKER_DIED if killed else WORKER_FAILED.format(reason=failure))
