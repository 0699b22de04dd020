# SPDX-License-Identifier: MIT
"""mpi4py with buffers. Writes its ledger like the C programs."""
import array
import json
import os

from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
kinds = {}


def book(kind, count_bytes):
    entry = kinds.setdefault(kind, [0, 0])
    entry[0] += 1
    entry[1] += count_bytes


have, get = array.array("d", [1.0] * 100), array.array("d", [0.0] * 100)
for _ in range(5):
    comm.Allreduce(have, get)
    book("allreduce", 800)
    comm.Allreduce(MPI.IN_PLACE, get)
    book("allreduce", 800)
comm.Bcast(have, root=0)
book("broadcast", 800)
request = comm.Iallreduce(have, get)
book("allreduce", 800)
request.Wait()
book("mpi_wait", 0)
if rank == 0:
    comm.Send(have, dest=1, tag=3)
    book("send", 800)
elif rank == 1:
    comm.Recv(get, source=0, tag=3)
    book("recv", 800)
comm.Barrier()
book("barrier", 0)
with open(f"{os.environ['MPI_LEDGER']}.{rank}", "w") as file:
    json.dump({"kinds": kinds, "called": []}, file)
