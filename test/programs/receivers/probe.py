"""An editor and an empty place below it, in one toolkit: what reaches them goes to the file that is named, one line of JSON each."""
import json
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, 'lib'))
toolkit, out = sys.argv[1], open(sys.argv[-1], 'a', encoding='utf-8', errors='surrogatepass')
SIZE = (420, 300)
HALF = 120
last = ''


def say(event, **facts):
    out.write(json.dumps({'event': event, **facts}) + '\n')
    out.flush()


def keep(text):
    """The whole text of the editor, where it has changed."""
    global last
    if text != last:
        last = text
        say('text', text=text)


def use_tk():
    os.environ['TCL_LIBRARY'] = os.path.join(here, 'tcl', 'tcl8.6')
    os.environ['TK_LIBRARY'] = os.path.join(here, 'tcl', 'tk8.6')
    import tkinter
    root = tkinter.Tk()
    root.title('probe tk')
    root.geometry('%dx%d+80+80' % SIZE)
    menu = tkinter.Menu(root, tearoff=False)
    options = tkinter.Menu(menu, tearoff=False, postcommand=lambda: say('menu'))
    options.add_command(label='New', underline=0, command=lambda: say('chosen'))
    menu.add_cascade(label='File', underline=0, menu=options)
    root.config(menu=menu)
    editor = tkinter.Text(root)
    editor.place(x=0, y=0, width=SIZE[0], height=HALF)
    pad = tkinter.Canvas(root, background='white')
    pad.place(x=0, y=HALF, width=SIZE[0], height=SIZE[1] - HALF)
    held = {1: 'shift', 4: 'ctrl', 0x20000: 'alt'}
    editor.bind('<Key>', lambda e: say('key', key=e.keysym.lower(), held=[name for bit, name in held.items() if e.state & bit]))
    pad.bind('<ButtonPress-1>', lambda e: say('press', x=e.x, y=e.y + HALF))
    pad.bind('<ButtonRelease-1>', lambda e: say('release', x=e.x, y=e.y + HALF))
    pad.bind('<B1-Motion>', lambda e: say('drag', x=e.x, y=e.y + HALF))
    pad.bind('<Motion>', lambda e: say('hover', x=e.x, y=e.y + HALF))
    pad.bind('<MouseWheel>', lambda e: say('wheel', delta=e.delta))
    editor.focus_force()

    def poll():
        keep(editor.get('1.0', 'end-1c'))
        root.after(50, poll)
    poll()
    root.after(300, lambda: say('ready'))
    root.mainloop()


def use_qt():
    from PySide6 import QtCore, QtWidgets
    app = QtWidgets.QApplication([])
    window = QtWidgets.QMainWindow()
    window.setWindowTitle('probe qt')
    options = window.menuBar().addMenu('&File')
    options.addAction('&New', lambda: say('chosen')).setShortcut('Ctrl+G')
    options.aboutToShow.connect(lambda: say('menu'))
    K = QtCore.Qt
    names = {K.Key_F5: 'f5', K.Key_Right: 'right'}

    class Editor(QtWidgets.QPlainTextEdit):
        def keyPressEvent(self, e):
            held = [n for bit, n in ((K.ShiftModifier, 'shift'), (K.ControlModifier, 'ctrl'), (K.AltModifier, 'alt')) if e.modifiers() & bit]
            say('key', key=names.get(e.key(), chr(e.key()).lower() if e.key() < 256 else ''), held=held)
            super().keyPressEvent(e)

    class Pad(QtWidgets.QWidget):
        def mousePressEvent(self, e): say('press', **self.place(e))
        def mouseReleaseEvent(self, e): say('release', **self.place(e))
        def mouseMoveEvent(self, e): say('drag' if e.buttons() & K.LeftButton else 'hover', **self.place(e))
        def wheelEvent(self, e): say('wheel', delta=e.angleDelta().y())
        def place(self, e):
            at = self.mapTo(window, e.position().toPoint())
            return {'x': at.x(), 'y': at.y()}
    inner = QtWidgets.QWidget()
    editor, pad = Editor(inner), Pad(inner)
    editor.setTabChangesFocus(False)
    editor.setGeometry(0, 0, SIZE[0], HALF - 30)
    pad.setGeometry(0, HALF - 30, SIZE[0], SIZE[1])
    pad.setMouseTracking(True)
    editor.textChanged.connect(lambda: keep(editor.toPlainText()))
    window.setCentralWidget(inner)
    window.setGeometry(80, 110, *SIZE)
    window.show()
    editor.setFocus()
    QtCore.QTimer.singleShot(300, lambda: say('ready'))
    app.exec()


def use_wx():
    import wx
    import wx.stc
    app = wx.App()
    frame = wx.Frame(None, title='probe wx', pos=(80, 80))
    frame.SetClientSize(SIZE)
    bar, options = wx.MenuBar(), wx.Menu()
    entry = options.Append(wx.ID_ANY, '&New\tCtrl+G')
    bar.Append(options, '&File')
    frame.SetMenuBar(bar)
    frame.Bind(wx.EVT_MENU, lambda e: say('chosen'), entry)
    frame.Bind(wx.EVT_MENU_OPEN, lambda e: say('menu'))
    inner = wx.Panel(frame)
    editor = wx.stc.StyledTextCtrl(inner, pos=(0, 0), size=(SIZE[0], HALF))
    pad = wx.Window(inner, pos=(0, HALF), size=(SIZE[0], SIZE[1] - HALF))
    names = {wx.WXK_F5: 'f5', wx.WXK_RIGHT: 'right'}

    def down(e):
        held = [n for on, n in ((e.ShiftDown(), 'shift'), (e.ControlDown(), 'ctrl'), (e.AltDown(), 'alt')) if on]
        code = e.GetKeyCode()
        say('key', key=names.get(code, chr(code).lower() if code < 256 else ''), held=held)
        e.Skip()
    editor.Bind(wx.EVT_KEY_DOWN, down)
    editor.Bind(wx.stc.EVT_STC_MODIFIED, lambda e: wx.CallAfter(lambda: keep(editor.GetText().replace('\r\n', '\n'))))
    def place(e): return {'x': e.GetX(), 'y': e.GetY() + HALF}
    pad.Bind(wx.EVT_LEFT_DOWN, lambda e: say('press', **place(e)))
    pad.Bind(wx.EVT_LEFT_UP, lambda e: say('release', **place(e)))
    pad.Bind(wx.EVT_MOTION, lambda e: say('drag' if e.Dragging() else 'hover', **place(e)))
    pad.Bind(wx.EVT_MOUSEWHEEL, lambda e: say('wheel', delta=e.GetWheelRotation()))
    frame.Show()
    editor.SetFocus()
    wx.CallLater(300, lambda: say('ready'))
    app.MainLoop()


def use_fltk():
    import fltk as fl
    names = {fl.FL_F + 5: 'f5', fl.FL_Right: 'right'}

    class Editor(fl.Fl_Text_Editor):
        def handle(self, event):
            if event == fl.FL_KEYBOARD:
                state, key = fl.Fl.event_state(), fl.Fl.event_key()
                held = [n for bit, n in ((fl.FL_SHIFT, 'shift'), (fl.FL_CTRL, 'ctrl'), (fl.FL_ALT, 'alt')) if state & bit]
                say('key', key=names.get(key, chr(key) if key < 256 else ''), held=held)
                if 'alt' in held: return 0
            return fl.Fl_Text_Editor.handle(self, event)

    class Pad(fl.Fl_Box):
        def handle(self, event):
            x, y = fl.Fl.event_x(), fl.Fl.event_y()
            if event == fl.FL_ENTER: say('hover', x=x, y=y); return 1
            if event == fl.FL_PUSH: say('press', x=x, y=y); return 1
            if event == fl.FL_RELEASE: say('release', x=x, y=y); return 1
            if event == fl.FL_DRAG: say('drag', x=x, y=y); return 1
            if event == fl.FL_MOVE: say('hover', x=x, y=y); return 1
            if event == fl.FL_MOUSEWHEEL: say('wheel', delta=fl.Fl.event_dy()); return 1
            return fl.Fl_Box.handle(self, event)
    window = fl.Fl_Double_Window(80, 110, *SIZE, 'probe fltk')
    window.begin()
    bar = fl.Fl_Menu_Bar(0, 0, SIZE[0], 25)
    bar.add('&File/&new', fl.FL_CTRL + ord('g'), lambda *_: say('chosen'))
    editor = Editor(0, 25, SIZE[0], HALF - 25)
    buffer = fl.Fl_Text_Buffer()
    editor.buffer(buffer)
    pad = Pad(0, HALF, SIZE[0], SIZE[1] - HALF)
    window.end()
    window.show()
    editor.take_focus()

    def poll(*_):
        keep(buffer.text())
        if fl.Fl.grab() is not None: say('menu')
        fl.Fl.repeat_timeout(0.05, poll)
    fl.Fl.add_timeout(0.05, poll)
    fl.Fl.add_timeout(0.3, lambda *_: say('ready'))
    fl.Fl.run()


def use_scintilla():
    """Scintilla's own control in a window of Windows; keys and pointer as its procedure gets them, text as the control holds it."""
    import ctypes
    from ctypes import wintypes as w
    user32, comctl32 = ctypes.WinDLL('user32'), ctypes.WinDLL('comctl32')
    ctypes.WinDLL(os.path.join(here, 'lib', 'pythonwin', 'scintilla.dll'))
    user32.CreateWindowExW.restype = w.HWND
    user32.CreateWindowExW.argtypes = [w.DWORD, w.LPCWSTR, w.LPCWSTR, w.DWORD] + [ctypes.c_int] * 4 + [w.HWND, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    user32.DefWindowProcW.restype = user32.SendMessageW.restype = ctypes.c_ssize_t
    user32.DefWindowProcW.argtypes = user32.SendMessageW.argtypes = [w.HWND, ctypes.c_uint, ctypes.c_size_t, ctypes.c_ssize_t]
    procedure = ctypes.WINFUNCTYPE(ctypes.c_ssize_t, w.HWND, ctypes.c_uint, ctypes.c_size_t, ctypes.c_ssize_t)

    class Class(ctypes.Structure):
        _fields_ = [('style', ctypes.c_uint), ('procedure', procedure), ('a', ctypes.c_int), ('b', ctypes.c_int), ('instance', ctypes.c_void_p), ('icon', ctypes.c_void_p), ('cursor', ctypes.c_void_p), ('brush', ctypes.c_void_p), ('menu', w.LPCWSTR), ('name', w.LPCWSTR)]
    user32.CreateMenu.restype = user32.CreatePopupMenu.restype = ctypes.c_void_p
    user32.AppendMenuW.argtypes = [ctypes.c_void_p, ctypes.c_uint, ctypes.c_void_p, w.LPCWSTR]
    bar, options = user32.CreateMenu(), user32.CreatePopupMenu()
    user32.AppendMenuW(options, 0, 100, '&New')
    user32.AppendMenuW(bar, 0x10, options, '&File')

    SCI_GETLENGTH, SCI_GETTEXT, SCI_GETCURRENTPOS, SCI_GETANCHOR, SCI_GETFIRSTVISIBLELINE = 2006, 2182, 2008, 2009, 2152

    def whole():
        size = user32.SendMessageW(editor, SCI_GETLENGTH, 0, 0)
        text = ctypes.create_string_buffer(size + 1)
        user32.SendMessageW(editor, SCI_GETTEXT, size + 1, ctypes.addressof(text))
        return text.value.decode('utf-8', 'replace').replace('\r\n', '\n')

    def frame(hwnd, message, wparam, lparam):
        if message == 0x111 and wparam == 100: say('chosen')
        if message == 0x117: say('menu')
        if message == 7 and editor: user32.SetFocus(w.HWND(editor))
        if message == 0x113:
            keep(whole())
            if not user32.IsWindowVisible(hwnd): user32.PostQuitMessage(0)
        if message == 2: user32.PostQuitMessage(0)
        return user32.DefWindowProcW(hwnd, message, wparam, lparam)
    own = Class(procedure=procedure(frame), name='ProbeScintilla')
    user32.RegisterClassW(ctypes.byref(own))
    editor = None
    hwnd = user32.CreateWindowExW(0, own.name, 'probe scintilla', 0x10CF0000, 80, 80, SIZE[0], SIZE[1], None, bar, None, None)
    editor = user32.CreateWindowExW(0, 'Scintilla', '', 0x50000000, 0, 0, SIZE[0], SIZE[1], hwnd, None, None, None)
    user32.SendMessageW(editor, 2037, 65001, 0)
    # letters of an inch: three lines fill the window, so that a press and a drag below the first have something to do
    user32.SendMessageW(editor, 2055, 32, 60)
    user32.SendMessageW(editor, 2050, 0, 0)
    keys = {0x74: 'f5', 0x27: 'right', 0x4B: 'k'}
    point = lambda at: {'x': ctypes.c_short(at).value, 'y': ctypes.c_short(at >> 16).value}
    subclass = ctypes.WINFUNCTYPE(ctypes.c_ssize_t, w.HWND, ctypes.c_uint, ctypes.c_size_t, ctypes.c_ssize_t, ctypes.c_size_t, ctypes.c_size_t)
    comctl32.DefSubclassProc.restype = ctypes.c_ssize_t
    comctl32.DefSubclassProc.argtypes = user32.DefWindowProcW.argtypes

    def state(): return [user32.SendMessageW(editor, each, 0, 0) for each in (SCI_GETCURRENTPOS, SCI_GETANCHOR, SCI_GETFIRSTVISIBLELINE)]

    def watch(hwnd, message, wparam, lparam, *_):
        before = state() if message in (0x201, 0x20A) else None  # its own questions come through here too
        result = comctl32.DefSubclassProc(hwnd, message, wparam, lparam)
        down = [n for vk, n in ((0x10, 'shift'), (0x11, 'ctrl'), (0x12, 'alt')) if user32.GetKeyState(vk) & 0x8000]
        if message == 0x100 and wparam in keys: say('key', key=keys[wparam], held=down)
        # what the control did with the pointer: its caret, its selection, its first line
        if message == 0x201: say('press', **point(lparam), moved=state() != before)
        if message == 0x202: say('release', **point(lparam), selected=state()[0] != state()[1])
        if message == 0x200: say('drag' if wparam & 1 else 'hover', **point(lparam))
        if message == 0x20A: say('wheel', delta=ctypes.c_short(wparam >> 16).value, scrolled=state()[2] != before[2])
        return result
    watching = subclass(watch)
    comctl32.SetWindowSubclass(w.HWND(editor), watching, ctypes.c_size_t(1), ctypes.c_size_t(0))
    user32.SetFocus(w.HWND(editor))
    user32.SetTimer(w.HWND(hwnd), ctypes.c_size_t(1), 50, None)
    say('ready')
    message = w.MSG()
    while user32.GetMessageW(ctypes.byref(message), None, 0, 0) > 0:
        user32.TranslateMessage(ctypes.byref(message))
        user32.DispatchMessageW(ctypes.byref(message))


def use_chromium():
    """Chromium's own window, by the C interface of the Embedded Framework; its page tells what reached it."""
    import ctypes
    import http.server
    import threading
    from ctypes import wintypes as w
    page = '''<body style="margin:0;overflow:hidden"><textarea id=e style="position:absolute;left:0;top:0;width:%dpx;height:%dpx;border:0"></textarea>
    <div id=p style="position:absolute;left:0;top:%dpx;width:%dpx;height:%dpx;background:white"></div><script>
    let queue = Promise.resolve();
    const say = (event, facts) => { queue = queue.then(() => fetch('/', {method: 'POST', body: JSON.stringify({event, ...facts})})); };
    const held = (e) => ['shift', 'ctrl', 'alt'].filter((each) => e[each + 'Key']);
    e.onkeydown = (k) => { if (k.altKey) say('menu'); if (k.key == 'Tab') { k.preventDefault(); document.execCommand('insertText', false, '\\t'); } say('key', {key: k.key.replace('Arrow', '').toLowerCase(), held: held(k)}); if (k.key == 'F5') k.preventDefault(); };
    e.oninput = () => say('text', {text: e.value});
    e.oncontextmenu = () => say('menu');
    e.onselect = () => { if (e.value !== '' && e.selectionStart === 0 && e.selectionEnd === e.value.length) say('chosen'); };
    const at = (event) => (m) => say(event, {x: m.clientX, y: m.clientY});
    p.onmousedown = at('press'); p.onmouseup = at('release'); p.onmousemove = (m) => at(m.buttons & 1 ? 'drag' : 'hover')(m); p.onwheel = () => say('wheel');
    e.focus(); setTimeout(() => say('ready'), 500);
    </script>''' % (SIZE[0], HALF, HALF, SIZE[0], SIZE[1] - HALF)

    class Told(http.server.BaseHTTPRequestHandler):
        protocol_version = 'HTTP/1.1'
        def answer(self, text):
            self.send_response(200)
            self.send_header('Content-Type', 'text/html; charset=utf-8')
            self.send_header('Content-Length', str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        def do_GET(self): self.answer(page.encode())
        def do_POST(self):
            told = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
            say(told.pop('event'), **told)
            self.answer(b'')
        def log_message(self, *_): pass
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Told)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    class Text(ctypes.Structure):
        _fields_ = [('text', ctypes.c_void_p), ('length', ctypes.c_size_t), ('free', ctypes.c_void_p)]
    kept = []

    def text(value):
        kept.append(ctypes.create_unicode_buffer(value))
        return Text(ctypes.addressof(kept[-1]), len(value), None)
    # include/internal/cef_types.h and cef_types_win.h of branch 3359: the fields up to the last one that is set
    class Settings(ctypes.Structure):
        _fields_ = [('size', ctypes.c_size_t), ('single_process', ctypes.c_int), ('no_sandbox', ctypes.c_int), ('browser_subprocess_path', Text), ('framework_dir_path', Text), ('multi_threaded_message_loop', ctypes.c_int), ('external_message_pump', ctypes.c_int), ('windowless', ctypes.c_int), ('command_line_args_disabled', ctypes.c_int), ('cache_path', Text), ('user_data_path', Text), ('a', ctypes.c_int), ('b', ctypes.c_int), ('user_agent', Text), ('product_version', Text), ('locale', Text), ('log_file', Text), ('log_severity', ctypes.c_int), ('javascript_flags', Text), ('resources_dir_path', Text), ('locales_dir_path', Text), ('rest', ctypes.c_byte * 256)]

    class Window(ctypes.Structure):
        _fields_ = [('ex_style', w.DWORD), ('name', Text), ('style', w.DWORD), ('x', ctypes.c_int), ('y', ctypes.c_int), ('width', ctypes.c_int), ('height', ctypes.c_int), ('parent', w.HWND), ('menu', w.HMENU), ('rest', ctypes.c_byte * 64)]

    class Browser(ctypes.Structure):
        _fields_ = [('size', ctypes.c_size_t), ('rest', ctypes.c_byte * 1024)]
    folder = os.path.join(here, 'lib', 'cefpython3')
    os.add_dll_directory(folder)
    os.chdir(folder)
    cef = ctypes.CDLL(os.path.join(folder, 'libcef.dll'))
    own = (ctypes.c_void_p * 1)(ctypes.WinDLL('kernel32').GetModuleHandleW(None))
    log_severity_off = 99
    settings = Settings(size=ctypes.sizeof(Settings), log_severity=log_severity_off, no_sandbox=1, browser_subprocess_path=text(os.path.join(folder, 'subprocess.exe')), resources_dir_path=text(folder), locales_dir_path=text(os.path.join(folder, 'locales')))
    cef.cef_initialize(own, ctypes.byref(settings), None, None)
    window = Window(name=text('probe chromium'), style=0x12CF0000, x=80, y=80, width=SIZE[0] + 20, height=SIZE[1] + 40)
    browser = Browser(size=ctypes.sizeof(Browser))
    address = text('http://127.0.0.1:%d/' % server.server_port)
    cef.cef_browser_host_create_browser_sync(ctypes.byref(window), None, ctypes.byref(address), ctypes.byref(browser), None)
    cef.cef_run_message_loop()


def use_vcl():
    """Its form, which draws itself and takes keys; or a memo in it, Windows' own field in a class and with the messages of the VCL."""
    import glob
    has_memo = 'memo' in sys.argv
    # as the wheel is unpacked
    sys.path += glob.glob(os.path.join(here, 'lib', 'delphivcl-*', 'purelib'))
    import delphivcl as vcl
    names = {0x74: 'f5', 0x27: 'right'}
    text = ''

    def held(shift):
        return [n for word, n in (('ssShift', 'shift'), ('ssCtrl', 'ctrl'), ('ssAlt', 'alt')) if word in str(shift)]

    class Probe(vcl.Form):
        def __init__(self, owner):
            self.Caption = 'probe vcl memo' if has_memo else 'probe vcl'
            self.SetBounds(80, 80, SIZE[0] + 16, SIZE[1] + 60)
            self.Menu = vcl.MainMenu(self)
            options, new = vcl.MenuItem(self), vcl.MenuItem(self)
            options.Caption, new.Caption = '&File', '&New'
            options.OnClick, new.OnClick = self.on_options, self.on_new
            new.ShortCut = 0x4000 + ord('G')
            options.Add(new)
            self.Menu.Items.Add(options)
            if has_memo:
                self.memo = vcl.Memo(self)
                self.memo.Parent = self
                self.memo.SetBounds(0, 0, SIZE[0], HALF)
                self.memo.WantTabs = True
                self.memo.OnKeyDown, self.memo.OnChange = self.on_key, self.on_change
            else: self.OnKeyDown, self.OnKeyPress = self.on_key, self.on_character
            self.OnMouseDown, self.OnMouseUp, self.OnMouseMove = self.on_down, self.on_up, self.on_move
            self.OnMouseWheel = self.on_wheel
            self.timer = vcl.Timer(self)
            self.timer.Interval = 300
            self.timer.OnTimer = self.on_timer

        def on_timer(self, sender):
            self.timer.Enabled = False
            say('ready')

        def on_options(self, sender): say('menu')
        def on_new(self, sender): say('chosen')
        def on_change(self, sender): keep(self.memo.Text.replace('\r\n', '\n'))

        def on_key(self, sender, key, shift):
            code = key.Value
            say('key', key=names.get(code, chr(code).lower() if 0x30 <= code < 0x5B else ''), held=held(shift))

        def on_character(self, sender, key):
            nonlocal text
            got = key.Value
            if got == '\r' or got >= ' ':
                text += got.replace('\r', '\n')
                keep(text)

        def on_down(self, sender, button, shift, x, y): say('press', x=x, y=y)
        def on_up(self, sender, button, shift, x, y): say('release', x=x, y=y)
        def on_move(self, sender, shift, x, y): say('drag' if 'ssLeft' in str(shift) else 'hover', x=x, y=y)
        def on_wheel(self, sender, shift, delta, at, handled): say('wheel', delta=delta)

    vcl.Application.Initialize()
    vcl.Application.Title = 'probe vcl'
    form = Probe(vcl.Application)
    form.Show()
    vcl.Application.Run()


def use_lcl():
    """Lazarus' form, whose class is Window like that of all it draws: no toolkit that the table knows."""
    import beth
    names = {0x74: 'f5', 0x27: 'right'}
    text = ''

    def held(shift):
        return [n for bit, n in ((beth.TShiftState.ssShift, 'shift'), (beth.TShiftState.ssCtrl, 'ctrl'), (beth.TShiftState.ssAlt, 'alt')) if shift & bit]

    class Probe(beth.TForm):
        def __init__(self, owner):
            super().__init__(owner)
            self.Caption = 'probe lcl'
            self.SetBounds(80, 80, *SIZE)
            self.menu, self.options, self.new = beth.TMainMenu(self), beth.TMenuItem(self), beth.TMenuItem(self)
            self.options.Caption, self.new.Caption = '&File', '&New'
            self.options.OnClick, self.new.OnClick = self.on_options, self.on_new
            self.options.Add(self.new)
            self.menu.Items.Add(self.options)
            self.Menu = self.menu
            self.OnKeyDown, self.OnKeyPress = self.on_key, self.on_character
            self.OnMouseDown, self.OnMouseUp, self.OnMouseMove = self.on_down, self.on_up, self.on_move
            self.OnMouseWheel = self.on_wheel
            self.timer = beth.TTimer(self)
            self.timer.Interval = 300
            self.timer.OnTimer = self.on_timer

        def on_timer(self, sender):
            self.timer.Enabled = False
            say('ready')

        def on_options(self, sender): say('menu')
        def on_new(self, sender): say('chosen')

        def on_key(self, sender, key, shift):
            code = key.value
            say('key', key=names.get(code, chr(code).lower() if 0x30 <= code < 0x5B else ''), held=held(shift))

        def on_character(self, sender, key):
            nonlocal text
            got = key.value
            if got in '\r\t' or got >= ' ':
                text += got.replace('\r', '\n')
                keep(text)

        def on_down(self, sender, button, shift, x, y): say('press', x=x, y=y)
        def on_up(self, sender, button, shift, x, y): say('release', x=x, y=y)
        def on_move(self, sender, shift, x, y): say('drag' if shift & beth.TShiftState.ssLeft else 'hover', x=x, y=y)
        def on_wheel(self, sender, shift, delta, at, handled): say('wheel', delta=delta)

    beth.Application.Initialize()
    form = beth.Application.CreateForm(Probe)
    beth.Application.Run()


def use_fmx():
    """FireMonkey draws its text fields itself. It has the events of a VCL form, with places as fractions."""
    import glob
    sys.path += glob.glob(os.path.join(here, 'lib', 'delphifmx-*', 'purelib'))
    import delphifmx as fmx
    names = {0x74: 'f5', 0x27: 'right'}

    def held(shift):
        return [n for word, n in (('ssShift', 'shift'), ('ssCtrl', 'ctrl'), ('ssAlt', 'alt')) if word in str(shift)]

    class Probe(fmx.Form):
        def __init__(self, owner):
            self.Caption = 'probe fmx'
            self.SetBounds(80, 80, SIZE[0] + 16, SIZE[1] + 60)
            self.editor = fmx.Memo(self)
            self.editor.Parent = self
            self.editor.SetBounds(0, 0, SIZE[0], HALF)
            self.editor.OnKeyDown = self.on_key
            menu, options, new = fmx.MainMenu(self), fmx.MenuItem(self), fmx.MenuItem(self)
            menu.Parent = self
            new.ShortCut = 0x4000 + ord('G')
            options.Text, new.Text = '&File', '&New'
            options.OnClick, new.OnClick = self.on_options, self.on_new
            options.AddObject(new)
            menu.AddObject(options)
            self.OnMouseDown, self.OnMouseUp, self.OnMouseMove = self.on_down, self.on_up, self.on_move
            self.OnMouseWheel = self.on_wheel
            self.ticks = 0
            self.timer = fmx.Timer(self)
            self.timer.Interval = 100
            self.timer.OnTimer = self.on_timer

        def on_timer(self, sender):
            self.ticks += 1
            if self.ticks == 3:
                self.editor.SetFocus()
                say('ready')
            keep(self.editor.Text.replace('\r\n', '\n'))

        def on_options(self, sender): say('menu')
        def on_new(self, sender): say('chosen')

        def on_key(self, sender, key, character, shift):
            code, letter = key.Value, character.Value
            name = names.get(code, chr(code) if 0x30 <= code < 0x5B else letter.strip('\0'))
            say('key', key=name.lower(), held=held(shift))

        def on_down(self, sender, button, shift, x, y): say('press', x=x, y=y)
        def on_up(self, sender, button, shift, x, y): say('release', x=x, y=y)
        def on_move(self, sender, shift, x, y): say('drag' if 'ssLeft' in str(shift) else 'hover', x=x, y=y)
        def on_wheel(self, sender, shift, delta, handled): say('wheel', delta=delta)

    fmx.Application.Initialize()
    form = Probe(fmx.Application)
    fmx.Application.MainForm = form
    form.Show()
    fmx.Application.Run()


def use_gtk():
    """GTK 4. It reads Windows' keyboard layout itself, to know letters and which keys are held; Wine has none."""
    import ctypes
    import glob
    import shutil
    import winreg
    name = ctypes.create_unicode_buffer(16)
    ctypes.windll.user32.GetKeyboardLayoutNameW(name)
    shutil.copy(os.path.join(here, 'layout.dll'), os.path.join(os.environ['SystemRoot'], 'system32', 'uiahostlayout.dll'))
    with winreg.CreateKey(winreg.HKEY_LOCAL_MACHINE, 'SYSTEM\\CurrentControlSet\\Control\\Keyboard Layouts\\' + name.value) as key:
        winreg.SetValueEx(key, 'Layout File', 0, winreg.REG_SZ, 'uiahostlayout.dll')
    roots = glob.glob(os.path.join(here, 'lib', 'gstreamer_*.data', 'purelib', 'gstreamer_*'))
    bindings = os.path.join(here, 'lib', 'gstreamer_python', 'Lib')
    os.environ['PYGI_DLL_DIRS'] = os.pathsep.join(os.path.join(each, 'bin') for each in roots)
    os.environ['PATH'] = os.environ['PYGI_DLL_DIRS'] + os.pathsep + os.environ['PATH']
    os.environ['GI_TYPELIB_PATH'] = os.pathsep.join(os.path.join(each, 'girepository-1.0') for each in [*(os.path.join(each, 'lib') for each in roots), bindings])
    os.environ.update(GSK_RENDERER='cairo', GTK_CSD='0', GTK_A11Y='none')
    sys.path.insert(0, os.path.join(bindings, 'site-packages'))
    import gi
    gi.require_version('Gtk', '4.0')
    from gi.repository import Gdk, Gio, GLib, Graphene, Gtk
    app = Gtk.Application(application_id='uiahost.probe.gtk', flags=Gio.ApplicationFlags.NON_UNIQUE)
    masks = ((Gdk.ModifierType.SHIFT_MASK, 'shift'), (Gdk.ModifierType.CONTROL_MASK, 'ctrl'), (Gdk.ModifierType.ALT_MASK, 'alt'))

    def start(*_):
        action = Gio.SimpleAction.new('new', None)
        action.connect('activate', lambda *_: say('chosen'))
        app.add_action(action)
        model, options = Gio.Menu(), Gio.Menu()
        options.append('_New', 'app.new')
        model.append_submenu('_File', options)
        bar = Gtk.PopoverMenuBar.new_from_model(model)
        editor = Gtk.TextView()
        editor.set_size_request(SIZE[0], HALF - 40)
        scrolled = Gtk.ScrolledWindow(child=editor)
        scrolled.set_size_request(SIZE[0], HALF - 40)
        pad = Gtk.DrawingArea(vexpand=True)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for each in (bar, scrolled, pad): box.append(each)
        window = Gtk.ApplicationWindow(application=app, title='probe gtk', child=box)
        window.set_default_size(*SIZE)
        controller = Gtk.EventControllerKey(propagation_phase=Gtk.PropagationPhase.CAPTURE)
        def down(_, keyval, code, state): say('key', key=(Gdk.keyval_name(keyval) or '').lower(), held=[n for bit, n in masks if state & bit])
        controller.connect('key-pressed', down)
        editor.add_controller(controller)
        # in the window of Windows, which has the shadow around what GTK draws
        def place(x, y):
            at = pad.compute_point(window, Graphene.Point().init(x, y))[1]
            shadow = window.get_surface_transform()
            return {'x': int(at.x + shadow[0]), 'y': int(at.y + shadow[1])}
        clicks = Gtk.GestureClick()
        clicks.connect('pressed', lambda _, n, x, y: say('press', **place(x, y)))
        clicks.connect('released', lambda _, n, x, y: say('release', **place(x, y)))
        clicks.connect('stopped', lambda *_: say('stopped'))
        clicks.connect('unpaired-release', lambda _, x, y, *more: say('release', **place(x, y)))
        drags = Gtk.GestureDrag()
        at = [0, 0]
        def begin(_, x, y): at[:] = x, y
        drags.connect('drag-begin', begin)
        drags.connect('drag-update', lambda _, x, y: say('drag', **place(at[0] + x, at[1] + y)))
        drags.connect('drag-end', lambda _, x, y: say('release', **place(at[0] + x, at[1] + y)))
        moves = Gtk.EventControllerMotion()
        moves.connect('motion', lambda _, x, y: say('hover', **place(x, y)))
        wheel = Gtk.EventControllerScroll(flags=Gtk.EventControllerScrollFlags.VERTICAL)
        wheel.connect('scroll', lambda _, x, y: say('wheel', delta=y))
        for each in (clicks, drags, moves, wheel): pad.add_controller(each)

        def isOpen(widget):
            if isinstance(widget, Gtk.Popover) and widget.get_visible(): return True
            child = widget.get_first_child()
            while child is not None:
                if isOpen(child): return True
                child = child.get_next_sibling()
            return False
        was = [False]

        def poll():
            buffer = editor.get_buffer()
            keep(buffer.get_text(buffer.get_start_iter(), buffer.get_end_iter(), True))
            if isOpen(bar) != was[0]:
                was[0] = not was[0]
                if was[0]: say('menu')
            return True
        GLib.timeout_add(50, poll)
        window.present()
        editor.grab_focus()
        GLib.timeout_add(1000, lambda: say('ready'))
    app.connect('activate', start)
    app.run([])


def use_sdl():
    """A program that draws itself with SDL: text by its text events, keys with what it says is held, an own menu at Alt and F."""
    os.environ['PYGAME_HIDE_SUPPORT_PROMPT'] = '1'
    os.environ['SDL_VIDEO_WINDOW_POS'] = '80,110'
    import pygame as pg
    pg.display.init()
    pg.display.set_mode(SIZE)
    pg.display.set_caption('probe sdl')
    pg.key.start_text_input()
    names = {pg.K_F5: 'f5', pg.K_RIGHT: 'right'}
    text, is_open = '', False
    say('ready')
    while True:
        for e in pg.event.get():
            if e.type == pg.QUIT: return
            if e.type == pg.KEYDOWN:
                held = [n for bit, n in ((pg.KMOD_SHIFT, 'shift'), (pg.KMOD_CTRL, 'ctrl'), (pg.KMOD_ALT, 'alt')) if e.mod & bit]
                say('key', key=names.get(e.key, pg.key.name(e.key)), held=held)
                if e.key == pg.K_f and 'alt' in held:
                    is_open = True
                    say('menu')
                elif e.key in (pg.K_RETURN, pg.K_TAB): text += '\n' if e.key == pg.K_RETURN else '\t'
            elif e.type == pg.TEXTINPUT:
                if is_open and e.text == 'n': say('chosen')
                elif not is_open or e.text != 'f': text += e.text
                if e.text != 'f': is_open = False
            elif e.type == pg.MOUSEBUTTONDOWN and e.button == 1: say('press', x=e.pos[0], y=e.pos[1])
            elif e.type == pg.MOUSEBUTTONUP and e.button == 1: say('release', x=e.pos[0], y=e.pos[1])
            elif e.type == pg.MOUSEMOTION: say('drag' if e.buttons[0] else 'hover', x=e.pos[0], y=e.pos[1])
            elif e.type == pg.MOUSEWHEEL: say('wheel', delta=e.y)
            keep(text)
        pg.time.wait(10)


def use_glfw():
    """A program that draws itself in a window of GLFW, as those of Dear ImGui do; the place of a press is that of the last move."""
    import glfw
    glfw.init()
    glfw.window_hint(glfw.CLIENT_API, glfw.NO_API)
    window = glfw.create_window(*SIZE, 'probe glfw', None, None)
    glfw.set_window_pos(window, 80, 110)
    names = {glfw.KEY_F5: 'f5', glfw.KEY_RIGHT: 'right'}
    state = {'text': '', 'open': False, 'at': (0, 0), 'down': False}

    def key(_, code, scan, action, mods):
        if action == glfw.RELEASE: return
        held = [n for bit, n in ((glfw.MOD_SHIFT, 'shift'), (glfw.MOD_CONTROL, 'ctrl'), (glfw.MOD_ALT, 'alt')) if mods & bit]
        say('key', key=names.get(code, chr(code).lower() if 0x30 <= code < 0x5B else ''), held=held)
        if code == glfw.KEY_F and 'alt' in held:
            state['open'] = True
            say('menu')
        elif code in (glfw.KEY_ENTER, glfw.KEY_TAB): state['text'] += '\n' if code == glfw.KEY_ENTER else '\t'
        keep(state['text'])

    def character(_, code):
        if state['open'] and chr(code) == 'n':
            state['open'] = False
            say('chosen')
        elif not state['open']: state['text'] += chr(code)
        keep(state['text'])

    def moved(_, x, y):
        state['at'] = (int(x), int(y))
        say('drag' if state['down'] else 'hover', x=int(x), y=int(y))

    def pressed(_, button, action, mods):
        if button != 0: return
        state['down'] = action == glfw.PRESS
        say('press' if state['down'] else 'release', x=state['at'][0], y=state['at'][1])
    glfw.set_key_callback(window, key)
    glfw.set_char_callback(window, character)
    glfw.set_cursor_pos_callback(window, moved)
    glfw.set_mouse_button_callback(window, pressed)
    glfw.set_scroll_callback(window, lambda _, x, y: say('wheel', delta=y))
    say('ready')
    while not glfw.window_should_close(window): glfw.wait_events_timeout(0.02)


def use_console():
    """A program that reads its console's events: keys as it is told them, places of the mouse as the cells that they are in."""
    import ctypes
    from ctypes import wintypes as w
    kernel32 = ctypes.WinDLL('kernel32')
    kernel32.GetStdHandle.restype = kernel32.CreateFileW.restype = w.HANDLE
    kernel32.AllocConsole()
    kernel32.SetConsoleTitleW('probe console')
    here_in = w.HANDLE(kernel32.CreateFileW('CONIN$', 0xC0000000, 3, None, 3, 0, None))
    here_out = w.HANDLE(kernel32.CreateFileW('CONOUT$', 0xC0000000, 3, None, 3, 0, None))
    kernel32.SetConsoleMode(here_in, 0x98)
    # no more rows than the window shows: else the wheel scrolls it
    kernel32.SetConsoleScreenBufferSize.argtypes = [w.HANDLE, w._COORD]
    kernel32.SetConsoleScreenBufferSize(here_out, w._COORD(80, 25))

    class Font(ctypes.Structure):
        _fields_ = [('index', w.DWORD), ('x', w.SHORT), ('y', w.SHORT)]

    class Record(ctypes.Structure):
        _fields_ = [('kind', w.WORD), ('pad', w.WORD), ('body', ctypes.c_byte * 16)]

    class KeyEvent(ctypes.Structure):
        _fields_ = [('down', w.BOOL), ('count', w.WORD), ('vk', w.WORD), ('scan', w.WORD), ('char', w.WCHAR), ('state', w.DWORD)]

    class MouseEvent(ctypes.Structure):
        _fields_ = [('x', w.SHORT), ('y', w.SHORT), ('buttons', w.DWORD), ('state', w.DWORD), ('flags', w.DWORD)]
    font, record, count = Font(), Record(), w.DWORD()
    kernel32.GetCurrentConsoleFont(here_out, False, ctypes.byref(font))
    names, text, was, is_open = {0x74: 'f5', 0x27: 'right'}, '', 0, False
    say('ready')
    while kernel32.ReadConsoleInputW(here_in, ctypes.byref(record), 1, ctypes.byref(count)):
        if record.kind == 1:
            key = KeyEvent.from_buffer(record.body)
            held = [n for bits, n in ((0x10, 'shift'), (0xC, 'ctrl'), (0x3, 'alt')) if key.state & bits]
            if not key.down: continue
            say('key', key=names.get(key.vk, chr(key.vk).lower() if 0x30 <= key.vk < 0x5B else ''), held=held)
            if is_open and key.char == 'n':
                is_open = False
                say('chosen')
            elif 'alt' in held and key.char != '\0':
                is_open = True
                say('menu')
            elif key.char == '\r' or key.char == '\t' or key.char >= ' ':
                text += key.char.replace('\r', '\n')
                keep(text)
        elif record.kind == 2:
            mouse = MouseEvent.from_buffer(record.body)
            at = {'x': mouse.x * font.x + font.x // 2, 'y': mouse.y * font.y}
            if mouse.flags & 4: say('wheel', delta=mouse.buttons >> 16)
            elif mouse.flags & 1: say('drag' if mouse.buttons & 1 else 'hover', **at)
            else: say('press' if mouse.buttons & 1 and not was & 1 else 'release', **at)
            if not mouse.flags & 4: was = mouse.buttons


try:
    {'tk': use_tk, 'qt': use_qt, 'wx': use_wx, 'fltk': use_fltk, 'scintilla': use_scintilla, 'chromium': use_chromium, 'vcl': use_vcl, 'lcl': use_lcl, 'fmx': use_fmx, 'gtk': use_gtk, 'sdl': use_sdl, 'glfw': use_glfw, 'console': use_console}[toolkit]()
except BaseException as error:
    say('failed', error=repr(error))
    raise
