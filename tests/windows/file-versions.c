/* Says of every file whose path comes in, a line each in UTF-8, which version Windows reads: `a.b.c.d`, or an empty line.
 * It is who `host/appdecl/tests/windows` compares the component with. */
#include <windows.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say_version(const WCHAR *path)
{
    DWORD ignored, size = GetFileVersionInfoSizeW(path, &ignored);
    void *block = size ? malloc(size) : NULL;
    VS_FIXEDFILEINFO *fixed;
    UINT length;
    if (block && GetFileVersionInfoW(path, 0, size, block) && VerQueryValueW(block, L"\\", (void **)&fixed, &length)
        && length >= sizeof *fixed)
        printf("%u.%u.%u.%u", HIWORD(fixed->dwFileVersionMS), LOWORD(fixed->dwFileVersionMS),
               HIWORD(fixed->dwFileVersionLS), LOWORD(fixed->dwFileVersionLS));
    printf("\n");
    free(block);
}

int main(void)
{
    char line[8192];
    WCHAR path[8192];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = 0;
        if (!MultiByteToWideChar(CP_UTF8, 0, line, -1, path, sizeof path / sizeof *path))
            path[0] = 0;
        say_version(path);
    }
    return 0;
}
