/*
 * A keyboard layout as Windows has them in kbdus.dll and others, which GTK reads and Wine lacks: letters and digits, and
 * which keys are Shift, Ctrl and Alt. Structures: learn.microsoft.com/windows-hardware/drivers/hid/keyboard-layout-samples
 */
#include <windows.h>

typedef struct { BYTE key, bit; } ModifierBit;
typedef struct { const ModifierBit *bits; WORD most; BYTE columns[4]; } Modifiers;
typedef struct { BYTE key, attributes; WCHAR plain, shifted; } Characters;
typedef struct { const Characters *rows; BYTE columns, size; } Table;
typedef struct {
  const Modifiers *modifiers;
  const Table *tables;
  const void *dead, *names, *namesExtended, *namesDead;
  const USHORT *scanCodes;
  BYTE mostScanCodes;
  const void *extended0, *extended1;
  DWORD flags;
  BYTE mostLigatures, ligatureSize;
  const void *ligatures;
} Layout;

static const ModifierBit bits[] = {{VK_SHIFT, 1}, {VK_CONTROL, 2}, {VK_MENU, 4}, {0, 0}};
static const Modifiers modifiers = {bits, 3, {0, 1, 15, 15}};
#define LETTER(upper) {upper, 1, upper + 32, upper}
static const Characters characters[] = {
  LETTER('A'), LETTER('B'), LETTER('C'), LETTER('D'), LETTER('E'), LETTER('F'), LETTER('G'), LETTER('H'), LETTER('I'),
  LETTER('J'), LETTER('K'), LETTER('L'), LETTER('M'), LETTER('N'), LETTER('O'), LETTER('P'), LETTER('Q'), LETTER('R'),
  LETTER('S'), LETTER('T'), LETTER('U'), LETTER('V'), LETTER('W'), LETTER('X'), LETTER('Y'), LETTER('Z'),
  {'1', 0, '1', '!'}, {'2', 0, '2', '@'}, {'3', 0, '3', '#'}, {'4', 0, '4', '$'}, {'5', 0, '5', '%'},
  {'6', 0, '6', '^'}, {'7', 0, '7', '&'}, {'8', 0, '8', '*'}, {'9', 0, '9', '('}, {'0', 0, '0', ')'},
  {VK_SPACE, 0, ' ', ' '}, {0, 0, 0, 0},
};
static const Table tables[] = {{characters, 2, sizeof(Characters)}, {NULL, 0, 0}};
static const USHORT scanCodes[] = {0};
/* a row of keys behind the prefix, ended by zero */
static const BYTE none[8] = {0};
static const Layout layout = {&modifiers, tables, NULL, NULL, NULL, NULL, scanCodes, 1, none, none, 0x10000, 0, 0, NULL};

__declspec(dllexport) const Layout *KbdLayerDescriptor(void) { return &layout; }
