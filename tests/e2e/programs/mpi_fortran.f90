! SPDX-License-Identifier: MIT
! 5 allreduces, one in place; a broadcast; a nonblocking reduction; a send and a receive between ranks 0 and 1.
program mpi_fortran
  implicit none
  include 'mpif.h'
  integer :: rank, error, request, i, have(4), get(4), status(MPI_STATUS_SIZE)
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  have = 1
  do i = 1, 4
    call MPI_Allreduce(have, get, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  end do
  call MPI_Allreduce(MPI_IN_PLACE, get, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
  call MPI_Bcast(have, 3, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, get, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
  call MPI_Ireduce(have, get, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, request, error)
  call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  if (rank == 0) call MPI_Send(have, 2, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, error)
  if (rank == 1) call MPI_Recv(get, 4, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, status, error)
  call MPI_Finalize(error)
end program
