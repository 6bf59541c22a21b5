/* A stand-in for ROCm's libamdhip64.so: the calls that asmgen makes through hip-python, on host memory.

   It records every call as one line of text in the file that HIP_MOCK_LOG names, pointers as allocation numbers where they
   are known, and the kernarg segment as hexadecimal digits. A launch does not run the kernel: it adds 1 to every 32-bit word of
   every live allocation, so that a copy back is seen to come from the device. HIP_MOCK_ARCH is the device's gcnArchName;
   HIP_MOCK_FAIL is NAME=CODE, and the call NAME answers with that hipError_t, HIP_MOCK_FAIL_ALL=1 every call after it as well,
   as HIP does once a kernel has crashed. The stream has a clock, which events record: a launch takes HIP_MOCK_US microseconds
   more than the launch before it, the first after hipEventCreate takes HIP_MOCK_US, and a copy takes a second. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SUCCESS = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101, NOT_FOUND = 500 };
enum { HOST_TO_DEVICE = 1, DEVICE_TO_HOST = 2, DEVICE_TO_DEVICE = 3 };
enum { ARCH_NAME_OFFSET = 1160, ARCH_NAME_BYTES = 256, PROPERTIES_BYTES = 1472 }; /* hipDeviceProp_tR0600 of hip_runtime_api.h */
enum { LARGEST = 64, MEMORY = 1 << 20 };

#define BUFFER_POINTER ((void *)1) /* HIP_LAUNCH_PARAM_BUFFER_POINTER, _SIZE and _END */
#define BUFFER_SIZE ((void *)2)
#define END ((void *)3)

struct allocation {
    unsigned char *memory;
    size_t size;
};

static struct allocation allocations[LARGEST];
static int modules;
static char function_names[LARGEST][256];
static int functions;
static int failed;
static double microseconds; /* of the stream */
static int launches, events;
static double event_times[2];

static FILE *start(const char *call) {
    const char *path = getenv("HIP_MOCK_LOG");
    FILE *log = fopen(path ? path : "/dev/null", "a");
    if (!log) abort();
    fprintf(log, "%s", call);
    return log;
}

static int finish(FILE *log, const char *call, int status) {
    const char *wanted = getenv("HIP_MOCK_FAIL"), *equals = wanted ? strchr(wanted, '=') : NULL;
    if (!getenv("HIP_MOCK_FAIL_ALL")) failed = SUCCESS;
    if (equals && (size_t)(equals - wanted) == strlen(call) && !strncmp(wanted, call, strlen(call))) {
        status = atoi(equals + 1);
        failed = getenv("HIP_MOCK_FAIL_ALL") ? status : 0;
    } else if (failed) {
        status = failed;
    }
    fprintf(log, " -> %d\n", status);
    fclose(log);
    return status;
}

static int number_of(const void *pointer) {
    for (int i = 0; i < LARGEST; i++)
        if (pointer && allocations[i].memory == pointer) return i;
    return -1;
}

int hipGetDeviceCount(int *count) {
    *count = getenv("HIP_MOCK_ARCH") ? 1 : 0;
    return finish(start("hipGetDeviceCount"), "hipGetDeviceCount", *count ? SUCCESS : NO_DEVICE);
}

int hipGetDevicePropertiesR0600(void *properties, int device) {
    const char *arch = getenv("HIP_MOCK_ARCH");
    memset(properties, 0, PROPERTIES_BYTES);
    if (arch) strncpy((char *)properties + ARCH_NAME_OFFSET, arch, ARCH_NAME_BYTES - 1);
    return finish(start("hipGetDeviceProperties"), "hipGetDeviceProperties", device == 0 && arch ? SUCCESS : INVALID_DEVICE);
}

int hipModuleLoadData(void **module, const void *image) {
    FILE *log = start("hipModuleLoadData");
    int is_elf = !memcmp(image, "\177ELF", 4);
    *module = is_elf ? &modules : NULL;
    int status = finish(log, "hipModuleLoadData", is_elf ? SUCCESS : INVALID_VALUE);
    modules += status == SUCCESS;
    return status;
}

int hipModuleUnload(void *module) {
    modules -= module == &modules;
    return finish(start("hipModuleUnload"), "hipModuleUnload", module == &modules ? SUCCESS : INVALID_VALUE);
}

int hipModuleGetFunction(void **function, void *module, const char *name) {
    FILE *log = start("hipModuleGetFunction");
    fprintf(log, " %s", name);
    *function = function_names[functions++ % LARGEST];
    strncpy(*function, name, sizeof function_names[0] - 1);
    return finish(log, "hipModuleGetFunction", module == &modules ? SUCCESS : INVALID_VALUE);
}

int hipMalloc(void **pointer, size_t size) {
    FILE *log = start("hipMalloc");
    int number = 0;
    while (number < LARGEST - 1 && allocations[number].memory) number++;
    *pointer = size <= MEMORY ? calloc(1, size) : NULL;
    fprintf(log, " %d %zu %p", number, size, *pointer);
    int status = finish(log, "hipMalloc", *pointer ? SUCCESS : OUT_OF_MEMORY);
    if (status != SUCCESS) {
        free(*pointer);
        *pointer = NULL;
        return status;
    }
    allocations[number] = (struct allocation){*pointer, size};
    return SUCCESS;
}

int hipFree(void *pointer) {
    FILE *log = start("hipFree");
    int number = number_of(pointer);
    fprintf(log, " %d", number);
    if (number >= 0) {
        free(pointer);
        allocations[number] = (struct allocation){NULL, 0};
    }
    return finish(log, "hipFree", number >= 0 ? SUCCESS : INVALID_VALUE);
}

int hipMemcpy(void *target, const void *source, size_t size, int kind) {
    FILE *log = start("hipMemcpy");
    int number = number_of(kind == HOST_TO_DEVICE ? target : source);
    fprintf(log, " %s %d %zu ", kind == HOST_TO_DEVICE ? "in" : "out", number, size);
    int fits = number >= 0 && size <= allocations[number].size;
    if (fits) {
        memcpy(target, source, size);
        for (size_t i = 0; i < size; i++) fprintf(log, "%02x", ((const unsigned char *)source)[i]);
    }
    return finish(log, "hipMemcpy", fits ? SUCCESS : INVALID_VALUE);
}

int hipMemcpyAsync(void *target, const void *source, size_t size, int kind, void *stream) {
    FILE *log = start("hipMemcpyAsync");
    int to = number_of(target), from = number_of(source);
    fprintf(log, " %d %d %zu %d %p", to, from, size, kind, stream);
    int fits = to >= 0 && from >= 0 && size <= allocations[to].size && size <= allocations[from].size && kind == DEVICE_TO_DEVICE;
    if (fits) memmove(target, source, size);
    microseconds += 1e6;
    return finish(log, "hipMemcpyAsync", fits ? SUCCESS : INVALID_VALUE);
}

int hipEventCreate(void **event) {
    *event = &event_times[events++ % 2];
    launches = 0;
    return finish(start("hipEventCreate"), "hipEventCreate", SUCCESS);
}

int hipEventDestroy(void *event) {
    events--;
    return finish(start("hipEventDestroy"), "hipEventDestroy", event ? SUCCESS : INVALID_VALUE);
}

int hipEventRecord(void *event, void *stream) {
    FILE *log = start("hipEventRecord");
    fprintf(log, " %d %p", (int)((double *)event - event_times), stream);
    *(double *)event = microseconds;
    return finish(log, "hipEventRecord", SUCCESS);
}

int hipEventSynchronize(void *event) {
    return finish(start("hipEventSynchronize"), "hipEventSynchronize", event ? SUCCESS : INVALID_VALUE);
}

int hipEventElapsedTime(float *milliseconds, void *first, void *last) {
    *milliseconds = (float)((*(double *)last - *(double *)first) / 1000);
    return finish(start("hipEventElapsedTime"), "hipEventElapsedTime", SUCCESS);
}

int hipModuleLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                          unsigned shared, void *stream, void **parameters, void **extra) {
    FILE *log = start("hipModuleLaunchKernel");
    fprintf(log, " %s %u,%u,%u %u,%u,%u %u %p %p ", (char *)function, gx, gy, gz, bx, by, bz, shared, stream, (void *)parameters);
    int formed = extra && extra[0] == BUFFER_POINTER && extra[2] == BUFFER_SIZE && extra[4] == END;
    if (formed) {
        size_t size = *(size_t *)extra[3];
        for (size_t i = 0; i < size; i++) fprintf(log, "%02x", ((unsigned char *)extra[1])[i]);
    }
    const char *unit = getenv("HIP_MOCK_US");
    microseconds += ++launches * (unit ? atof(unit) : 1.0);
    int status = finish(log, "hipModuleLaunchKernel", formed && functions ? SUCCESS : INVALID_VALUE);
    for (int i = 0; status == SUCCESS && i < LARGEST; i++)
        for (size_t word = 0; word + 4 <= allocations[i].size; word += 4) {
            uint32_t value;
            memcpy(&value, allocations[i].memory + word, 4);
            value += 1;
            memcpy(allocations[i].memory + word, &value, 4);
        }
    return status;
}

int hipDeviceSynchronize(void) { return finish(start("hipDeviceSynchronize"), "hipDeviceSynchronize", SUCCESS); }
