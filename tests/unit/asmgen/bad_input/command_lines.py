"""Command lines that are refused. `GEN MIR ASM OBJ NPY DIR` stand for whole files and for an empty folder,
OUT for one to be written."""

from __future__ import annotations

RUN = "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg NPY"
COMMAND_LINES = (
    # usage that cannot be parsed
    "", "frobnicate", "kernel", "run", "check", "report", "kernel relu rleu", "kernel --emit asm",
    "kernel relu --emit", "kernel relu --frobnicate", "kernel relu --set", "kernel relu --set n",
    "kernel relu --set =4", "kernel relu --max-vgprs many", "kernel relu --max-vgprs 1.5",
    "kernel relu --nan quiet", "kernel relu --device cuda", "kernel relu --verify=yes", "list all",
    "targets gfx942", "doctor now", "run ASM", "run ASM --kernel relu", "run ASM --kernel relu --grid 1",
    "run ASM --kernel relu --grid a --block 64", "run ASM --kernel relu --grid 1,1,1,1 --block 64",
    "run ASM --kernel relu --grid 1, --block 64", "run ASM --kernel relu --grid 1.5 --block 64",
    "report relu --format pdf", "report relu --fail-above few", "check ASM --fix --strip --output x",
    # options that stand twice, and empty ones
    "kernel relu --set n=4 --set n=5", "kernel relu --target gfx942 --target gfx90a",
    "kernel relu --emit asm --emit graph", "kernel GEN -o OUT -o OUT", "kernel relu -o ''",
    "report relu -o ''", "check ASM --fix -o ''", "kernel relu --max-vgprs 8 --max-vgprs 9",
    "kernel relu --nan ieee --nan propagate --emit asm", f"{RUN} --kernel relu", f"{RUN} --grid 2",
    # options that would change nothing
    "kernel ASM --max-vgprs 8", "kernel ASM --fast-math", "kernel ASM --no-contract",
    "kernel ASM --nan propagate", "kernel ASM --trace waits", "kernel ASM --set n=4",
    "kernel OBJ --max-vgprs 8", "kernel OBJ --fast-math -o OUT", "kernel MIR --fast-math",
    "kernel MIR --nan propagate", "kernel MIR --set n=4", "kernel GEN --set n=4",
    "kernel relu --device emulator", "report ASM --set n=4", "report GEN --set n=4", "check ASM --strip",
    "check ASM --fix", "check ASM -o OUT",
    # names that are not known
    "kernel rleu", "kernel RELU", "kernel ''", "kernel relu.txt", "kernel relu.", "kernel .gen",
    "kernel missing.gen", "kernel DIR", "kernel DIR/x.gen", "kernel /dev/null", "kernel /dev/zero",
    "kernel /etc/passwd", "report /etc/passwd", "check /etc/passwd",
    "run /etc/passwd --kernel k --grid 1 --block 64", "check /dev/null", "check missing.s", "check DIR",
    "report missing.s", "report DIR", "report nothing", "run missing.s --kernel relu --grid 1 --block 64",
    "run DIR --kernel relu --grid 1 --block 64", "kernel relu --target gfx999", "kernel relu --target GFX942",
    "kernel relu --target gfx942:", "kernel relu --target gfx942:fast+",
    "kernel relu --target gfx942:xnack+:xnack-", "kernel relu --target gfx942:wave32",
    "kernel relu --target ''", "kernel relu --target sm_90", "kernel relu --emit ptx",
    "kernel relu --emit ASM", "kernel relu --emit ''", "kernel relu --emit obj", "kernel relu --set m=4",
    "kernel relu --set N=4", "kernel relu --trace everything", "kernel relu --trace ''",
    "kernel relu --trace waits,nothing", "report ASM --target gfx90a", "check ASM --target gfx90a",
    "kernel ASM --target gfx90a",
    # values that are out of range
    "kernel relu --set n=many", "kernel relu --set n=-1", "kernel relu --set n=1.5",
    "kernel relu --set n=0x10", "kernel relu --set n=99999999999999999999", "kernel relu --set n=",
    "kernel relu --set dtype=f33", "kernel relu --set dtype=bool", "kernel softmax --set rows=0 --set cols=-3",
    "kernel relu --waves-per-eu 0", "kernel relu --waves-per-eu 9", "kernel relu --waves-per-eu two",
    "report ASM --waves-per-eu 4", "kernel relu --max-vgprs 0", "kernel relu --max-vgprs -4", "kernel relu --max-vgprs 1",
    "report relu --fail-above -1", "report relu --fail-above 0", "kernel relu --set n=4000000000 --verify", f"{RUN} --max-steps 0",
    # stages that were passed, or do not exist of a source
    "kernel ASM --emit graph", "kernel OBJ --emit asm", "kernel MIR --emit lanewise", "kernel ASM --verify",
    "kernel OBJ --verify", "kernel MIR --verify", "check GEN", "check MIR",
    "run GEN --kernel k --grid 1 --block 64", "run MIR --kernel k --grid 1 --block 64",
    "run NPY --kernel k --grid 1 --block 64",
    # places that cannot be written
    "kernel relu -o DIR", "kernel relu vecadd -o OUT", "kernel relu -o DIR/no/k.hsaco", "kernel relu --emit asm -o /dev/full",
    "kernel relu -o /proc/k.hsaco", "report relu -o DIR", "check ASM --fix -o DIR", f"{RUN} --out-dir ASM",
    f"{RUN} --out-dir ASM/x",
    # launches that cannot be
    "run ASM --kernel rleu --grid 1 --block 64", "run ASM --kernel '' --grid 1 --block 64",
    "run ASM --kernel relu --grid 1 --block 64", "run ASM --kernel relu --grid 1 --block 64 --arg NPY",
    f"{RUN} --arg NPY", "run ASM --kernel relu --grid 0 --block 64 --arg NPY --arg NPY",
    "run ASM --kernel relu --grid 1 --block 0 --arg NPY --arg NPY",
    "run ASM --kernel relu --grid -1 --block 64 --arg NPY --arg NPY",
    "run ASM --kernel relu --grid 1 --block 2000 --arg NPY --arg NPY",
    "run ASM --kernel relu --grid 99999999999 --block 64 --arg NPY --arg NPY",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg i32:5",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg f32:",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg i32:x",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg i8:300",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg bool:2",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg x:1",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg ''",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg missing.npy",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg ASM",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg DIR",
    "run ASM --kernel relu --grid 1 --block 64 --arg NPY --arg OBJ", f"{RUN} --device hip",
)  # fmt: skip
