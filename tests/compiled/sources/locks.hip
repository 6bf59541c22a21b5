#include "device.h"
// Waves and workgroups that wait for each other: every one of them has to make progress.

//: spin_lock
KERNEL spin_lock(u32 *lock, u32 *totals, const u32 *in) {
  if (LOCAL) return;
  while (SWAP(lock, 1u, ACQUIRE, AGENT)) SLEEP;
  totals[0] += in[GROUP_ID];
  totals[1] ^= in[GROUP_ID] * 7;
  totals[2] += 1;
  STORE(lock, 0u, RELEASE, AGENT);
}

//: group_lock
// A lock in LDS that one lane of each wave takes, several times.
KERNEL group_lock(const u32 *in, u32 *out) {
  SHARED u32 lock, total, most;
  if (LOCAL == 0) lock = total = most = 0;
  BARRIER;
  if (LANE == 0)
    for (u32 k = 0; k < 3; k++) {
      u32 x = in[INDEX + k];
      while (SWAP(&lock, 1u, ACQUIRE, GROUP)) SLEEP;
      total += x;
      most = larger(most, x);
      STORE(&lock, 0u, RELEASE, GROUP);
    }
  BARRIER;
  if (LOCAL < 2) out[GROUP_ID * 2 + LOCAL] = LOCAL ? most : total;
}

//: ticket_lock
KERNEL ticket_lock(u32 *tickets, u32 *list, const u32 *in) {
  if (LOCAL) return;
  u32 mine = ADD(&tickets[0], 1u, RELAXED, AGENT);
  while (LOAD(&tickets[1], ACQUIRE, AGENT) != mine) SLEEP;
  list[0] += in[GROUP_ID];
  list[1 + mine] = mine * 3;
  STORE(&tickets[1], mine + 1, RELEASE, AGENT);
}

//: lane_locks
// Every lane takes the lock of its bin, one lane of a wave after the other: lanes that wait for each other would not get further.
KERNEL lane_locks(const u32 *in, u32 *locks, u32 *sums, u32 *counts) {
  u32 x = in[INDEX], bin = x % 5;
  for (u32 turn = 0; turn < WAVE; turn++)
    if (LANE == turn) {
      while (SWAP(&locks[bin], 1u, ACQUIRE, AGENT)) SLEEP;
      sums[bin] += x;
      counts[bin] += 1;
      STORE(&locks[bin], 0u, RELEASE, AGENT);
    }
}

//: look_back_scan
// Decoupled look-back: the state of a tile and its sum are one 64-bit word, so that relaxed accesses do.
KERNEL look_back_scan(const u32 *in, u32 *out, u64 *tiles, u32 *counter) {
  SHARED u32 sums[64], tile, before;
  if (LOCAL == 0) tile = ADD(counter, 1u, RELAXED, AGENT);
  BARRIER;
  u32 at = tile * 64 + LOCAL, x = in[at];
  sums[LOCAL] = x;
  BARRIER;
  for (u32 reach = 1; reach < 64; reach *= 2) {
    u32 left = LOCAL >= reach ? sums[LOCAL - reach] : 0;
    BARRIER;
    sums[LOCAL] += left;
    BARRIER;
  }
  if (LOCAL == 0) {
    u32 whole = sums[63], sum = 0;
    STORE(&tiles[tile], (u64)(tile ? 1 : 2) << 32 | whole, RELAXED, AGENT);
    for (u32 k = tile; k > 0;) {
      u64 state = LOAD(&tiles[k - 1], RELAXED, AGENT);
      if (state >> 32 == 0) continue;
      sum += (u32)state;
      if (state >> 32 == 2) break;
      k--;
    }
    if (tile) STORE(&tiles[tile], 2ull << 32 | (u32)(sum + whole), RELAXED, AGENT);
    before = sum;
  }
  BARRIER;
  out[at] = before + sums[LOCAL];
}

//: look_back_flags
// The same with flags beside the sums: a flag is released after its sum, and acquired before it.
KERNEL look_back_flags(const u32 *in, u32 *out, u32 *flags, u32 *wholes, u32 *sums_before) {
  SHARED u32 total, before;
  if (LOCAL == 0) total = 0;
  BARRIER;
  u32 x = in[INDEX];
  ADD(&total, x, RELAXED, GROUP);
  BARRIER;
  if (LOCAL == 0) {
    u32 tile = GROUP_ID, sum = 0;
    wholes[tile] = total;
    STORE(&flags[tile], 1u, RELEASE, AGENT);
    for (u32 k = tile; k > 0;) {
      u32 state = LOAD(&flags[k - 1], ACQUIRE, AGENT);
      if (state == 0) continue;
      if (state == 2) {
        sum += sums_before[k - 1];
        break;
      }
      sum += wholes[k - 1];
      k--;
    }
    sums_before[tile] = sum + total;
    STORE(&flags[tile], 2u, RELEASE, AGENT);
    before = sum;
  }
  BARRIER;
  out[INDEX] = before + x;
}

//: producer_consumer
// One workgroup fills a ring of four rows, the other empties it.
KERNEL producer_consumer(const u32 *in, u32 *out, u32 *ring, u32 *made, u32 *taken, u32 rounds) {
  if (GROUP_ID == 0) {
    for (u32 n = 0; n < rounds; n++) {
      if (LOCAL == 0)
        while (n - LOAD(taken, ACQUIRE, AGENT) >= 4) SLEEP;
      BARRIER;
      ring[n % 4 * 64 + LOCAL] = in[n * 64 + LOCAL] * 3 + n;
      BARRIER;
      if (LOCAL == 0) STORE(made, n + 1, RELEASE, AGENT);
    }
  } else {
    for (u32 n = 0; n < rounds; n++) {
      if (LOCAL == 0)
        while (LOAD(made, ACQUIRE, AGENT) <= n) SLEEP;
      BARRIER;
      out[n * 64 + LOCAL] = ring[n % 4 * 64 + LOCAL] + 1;
      BARRIER;
      if (LOCAL == 0) STORE(taken, n + 1, RELEASE, AGENT);
    }
  }
}

//: last_group_sums
// The workgroup that comes last adds up what the others have left.
KERNEL last_group_sums(const u32 *in, u32 *partial, u32 *count, u32 *out) {
  SHARED u32 sums[64];
  SHARED bool last;
  sums[LOCAL] = in[INDEX];
  BARRIER;
  for (u32 half = 32; half; half /= 2) {
    if (LOCAL < half) sums[LOCAL] += sums[LOCAL + half];
    BARRIER;
  }
  if (LOCAL == 0) {
    partial[GROUP_ID] = sums[0];
    last = ADD(count, 1u, ACQ_REL, AGENT) == GROUPS - 1;
  }
  BARRIER;
  if (!last) return;
  u32 x = LOCAL < GROUPS ? partial[LOCAL] : 0;
  sums[LOCAL] = x;
  BARRIER;
  if (LOCAL) return;
  u32 total = 0;
  for (u32 k = 0; k < GROUPS; k++) total += sums[k];
  *out = total;
}

//: grid_barrier grid_wait
static inline void grid_wait(u32 *state, u32 groups) {
  BARRIER;
  if (LOCAL == 0) {
    u32 round = LOAD(&state[1], RELAXED, AGENT);
    if (ADD(&state[0], 1u, ACQ_REL, AGENT) == groups - 1) {
      STORE(&state[0], 0u, RELAXED, AGENT);
      STORE(&state[1], round + 1, RELEASE, AGENT);
    } else
      while (LOAD(&state[1], ACQUIRE, AGENT) == round) SLEEP;
  }
  BARRIER;
}
KERNEL grid_barrier(u32 *data, u32 *other, u32 *state) {
  u32 i = INDEX, count = GROUPS * 64;
  for (u32 round = 0; round < 3; round++) {
    other[i] = data[(i + 64) % count] + data[(i * 5) % count];
    grid_wait(state, GROUPS);
    data[i] = other[(i + 1) % count] ^ round;
    grid_wait(state, GROUPS);
  }
}

//: wave_messages
// The first wave hands rows to the second through LDS, with a flag for each row.
KERNEL wave_messages(const u32 *in, u32 *out) {
  SHARED u32 rows[4][32], flags[4];
  if (LOCAL < 4) flags[LOCAL] = 0;
  BARRIER;
  u32 wave = LOCAL / WAVE, lane = LANE;
  if (wave == 0) {
    for (u32 k = 0; k < 4; k++) {
      if (lane < 32) rows[k][lane] = in[k * 32 + lane] * 5;
      WAVE_SYNC;
      if (lane == 0) STORE(&flags[k], k + 1, RELEASE, GROUP);
    }
  } else if (wave == 1) {
    for (u32 k = 0; k < 4; k++) {
      while (LOAD(&flags[k], ACQUIRE, GROUP) != k + 1) SLEEP;
      if (lane < 32) out[k * 32 + lane] = rows[k][lane ^ 1];
    }
  }
}

//: work_queue
KERNEL work_queue(const u32 *in, u32 *out, u32 *next, u32 items) {
  for (;;) {
    u32 item = 0;
    if (LANE == 0) item = ADD(next, 1u, RELAXED, AGENT);
    item = __builtin_amdgcn_readfirstlane(item);
    if (item >= items) break;
    if (LANE < 32) {
      u32 x = in[item * 32 + LANE], steps = 0;
      while (x > 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
      }
      out[item * 32 + LANE] = steps;
    }
  }
}

//: lock_free_stack
// Every work-item pushes a node; the one that comes last walks the list.
KERNEL lock_free_stack(const u32 *in, u32 *next, u32 *head, u32 *done, u32 *out, u32 total) {
  u32 i = INDEX, old = LOAD(head, RELAXED, AGENT);
  do next[i] = old;
  while (!CAS(head, &old, i + 1, RELEASE, RELAXED, AGENT));
  if (ADD(done, 1u, ACQ_REL, AGENT) != total - 1) return;
  u32 sum = 0, count = 0;
  for (u32 at = LOAD(head, ACQUIRE, AGENT); at; at = next[at - 1]) {
    sum += in[at - 1];
    count++;
  }
  out[0] = sum;
  out[1] = count;
}

//: sequence_lock
KERNEL sequence_lock(u32 *sequence, u32 *pair, u32 *out, u32 versions) {
  if (LOCAL) return;
  if (GROUP_ID == 0) {
    for (u32 n = 1; n <= versions; n++) {
      STORE(sequence, 2 * n - 1, RELAXED, AGENT);
      __builtin_amdgcn_fence(RELEASE, "agent");
      STORE(&pair[0], n, RELAXED, AGENT);
      STORE(&pair[1], n * 7, RELAXED, AGENT);
      STORE(sequence, 2 * n, RELEASE, AGENT);
    }
    return;
  }
  u32 torn = 0, seen = 0;
  while (seen != versions) {
    u32 before = LOAD(sequence, ACQUIRE, AGENT);
    u32 x = LOAD(&pair[0], RELAXED, AGENT), y = LOAD(&pair[1], RELAXED, AGENT);
    __builtin_amdgcn_fence(ACQUIRE, "agent");
    u32 after = LOAD(sequence, RELAXED, AGENT);
    if (before != after || before & 1) continue;
    torn += y != x * 7;
    seen = x;
  }
  out[2 * GROUP_ID - 2] = seen;
  out[2 * GROUP_ID - 1] = torn;
}

//: peterson
// Two workgroups exclude each other by loads and stores alone, which have to be seen in one order.
KERNEL peterson(u32 *wants, u32 *turn, u32 *counter) {
  if (LOCAL) return;
  u32 me = GROUP_ID, other = 1 - me;
  for (u32 k = 0; k < 8; k++) {
    STORE(&wants[me], 1u, SEQ_CST, AGENT);
    STORE(turn, other, SEQ_CST, AGENT);
    while (LOAD(&wants[other], SEQ_CST, AGENT) && LOAD(turn, SEQ_CST, AGENT) == other) SLEEP;
    *counter += k + 1;
    STORE(&wants[me], 0u, SEQ_CST, AGENT);
  }
}

//: turns
// The waves of a workgroup take turns, the last one first.
KERNEL turns(u32 *out) {
  SHARED u32 turn, at, order[32];
  u32 waves = GROUP_SIZE / WAVE, wave = LOCAL / WAVE;
  if (LOCAL == 0) turn = at = 0;
  BARRIER;
  if (LANE == 0)
    for (u32 k = 0; k < 2; k++) {
      while (LOAD(&turn, ACQUIRE, GROUP) != k * waves + (waves - 1 - wave)) SLEEP;
      order[at] = wave;
      at++;
      STORE(&turn, at, RELEASE, GROUP);
    }
  BARRIER;
  if (LOCAL < 2 * waves) out[LOCAL] = order[LOCAL];
}

//: initialised_once
// Whichever work-item comes first makes the table that all others wait for.
KERNEL initialised_once(u32 *state, u32 *table, u32 *out) {
  if (LOCAL == 0) {
    u32 expected = 0;
    if (CAS(state, &expected, 1u, RELAXED, RELAXED, AGENT)) {
      for (u32 k = 0; k < 64; k++) table[k] = k * k + 1;
      STORE(state, 2u, RELEASE, AGENT);
    } else
      while (LOAD(state, ACQUIRE, AGENT) != 2) SLEEP;
  }
  BARRIER;
  out[INDEX] = table[(INDEX * 7) % 64];
}

//: ping_pong
KERNEL ping_pong(u32 *ball, u32 *log, u32 rounds) {
  if (LOCAL) return;
  for (u32 k = 0; k < rounds; k++) {
    u32 mine = 2 * k + GROUP_ID;
    while (LOAD(ball, ACQUIRE, AGENT) != mine) SLEEP;
    log[mine] = mine ? log[mine - 1] * 3 + 1 : 1;
    STORE(ball, mine + 1, RELEASE, AGENT);
  }
}
