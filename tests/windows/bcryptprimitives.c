/* The one call of this Windows library that Rust's standard library needs, for a Wine that lacks it. For tests alone.
 * It passes the request on to RtlGenRandom, which advapi32 exports under this other name:
 * https://learn.microsoft.com/windows/win32/api/ntsecapi/nf-ntsecapi-rtlgenrandom */
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *buffer, unsigned long size);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, unsigned long long size) {
    for (unsigned long long done = 0; done < size; done += 4096)
        if (!SystemFunction036(buffer + done, size - done < 4096 ? size - done : 4096)) return 0;
    return 1;
}

int __stdcall start(void *library, unsigned long reason, void *reserved) { return 1; }
