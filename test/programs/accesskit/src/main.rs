// A custom-drawn window with two buttons whose UI Automation provider is AccessKit's, for `npm run programs`. What was
// pressed goes to its journal, one JSON line each: `uiahost-accesskit-target JOURNAL`.
#![windows_subsystem = "windows"]
use accesskit::{Action, ActionHandler, ActionRequest, ActivationHandler, Node, NodeId, Rect, Role, Tree, TreeId, TreeUpdate};
use accesskit_windows::SubclassingAdapter;
use std::{fs::OpenOptions, io::Write, sync::OnceLock};
use windows::{
    Win32::{
        Foundation::{COLORREF, HWND, LPARAM, LRESULT, RECT, WPARAM},
        Graphics::Gdi::{
            BeginPaint, CreateSolidBrush, DT_CENTER, DT_SINGLELINE, DT_VCENTER, DeleteObject, DrawTextW, EndPaint, FillRect,
            PAINTSTRUCT, SetBkMode, TRANSPARENT,
        },
        System::LibraryLoader::GetModuleHandleW,
        UI::WindowsAndMessaging::{
            CW_USEDEFAULT, CreateWindowExW, DefWindowProcW, DispatchMessageW, GetMessageW, IDC_ARROW, LoadCursorW, MSG,
            PostMessageW, PostQuitMessage, RegisterClassW, SW_SHOWNOACTIVATE, ShowWindow, TranslateMessage, WM_APP, WM_DESTROY,
            WM_LBUTTONUP, WM_PAINT, WNDCLASSW, WS_OVERLAPPEDWINDOW,
        },
    },
    core::{Result, w},
};

const TITLE: &str = "AccessKit order form";
const ROOT: NodeId = NodeId(0);
/// Id, name, and top in client pixels; each is 200 × 40, 20 from the left.
const BUTTONS: [(NodeId, &str, i32); 2] = [(NodeId(1), "Place order", 20), (NodeId(2), "Cancel order", 80)];
const PRESS: u32 = WM_APP;

static JOURNAL: OnceLock<String> = OnceLock::new();

fn press(id: u64) {
    let Some((_, name, _)) = BUTTONS.iter().find(|(button, _, _)| button.0 == id) else { return };
    let file = JOURNAL.get().expect("main sets it");
    let mut journal = OpenOptions::new().create(true).append(true).open(file).expect("the journal opens");
    writeln!(journal, "{{\"t\":0,\"event\":\"{name}\"}}").expect("the journal takes a line");
}

fn rect_of(top: i32) -> RECT {
    RECT { left: 20, top, right: 220, bottom: top + 40 }
}

struct Form;

impl ActivationHandler for Form {
    fn request_initial_tree(&mut self) -> Option<TreeUpdate> {
        let mut root = Node::new(Role::Window);
        root.set_label(TITLE);
        root.set_children(BUTTONS.map(|(id, _, _)| id).to_vec());
        let mut nodes = vec![(ROOT, root)];
        for (id, name, top) in BUTTONS {
            let RECT { left, top, right, bottom } = rect_of(top);
            let mut button = Node::new(Role::Button);
            button.set_label(name);
            button.set_bounds(Rect { x0: left.into(), y0: top.into(), x1: right.into(), y1: bottom.into() });
            button.add_action(Action::Click);
            nodes.push((id, button));
        }
        Some(TreeUpdate { nodes, tree: Some(Tree::new(ROOT)), tree_id: TreeId::ROOT, focus: ROOT })
    }
}

struct Presses(isize);

impl ActionHandler for Presses {
    fn do_action(&mut self, request: ActionRequest) {
        if request.action == Action::Click {
            let window = HWND(self.0 as _);
            unsafe { PostMessageW(Some(window), PRESS, WPARAM(request.target_node.0 as usize), LPARAM(0)) }
                .expect("the window takes the message");
        }
    }
}

fn paint(window: HWND) {
    unsafe {
        let mut paint = PAINTSTRUCT::default();
        let context = BeginPaint(window, &mut paint);
        SetBkMode(context, TRANSPARENT);
        for (_, name, top) in BUTTONS {
            let mut rect = rect_of(top);
            let brush = CreateSolidBrush(COLORREF(0x00E0_C0A0));
            FillRect(context, &rect, brush);
            let _ = DeleteObject(brush.into());
            let mut text: Vec<u16> = name.encode_utf16().collect();
            DrawTextW(context, &mut text, &mut rect, DT_CENTER | DT_VCENTER | DT_SINGLELINE);
        }
        let _ = EndPaint(window, &paint);
    }
}

extern "system" fn procedure(window: HWND, message: u32, wparam: WPARAM, lparam: LPARAM) -> LRESULT {
    match message {
        WM_PAINT => paint(window),
        PRESS => press(wparam.0 as u64),
        WM_LBUTTONUP => {
            let (x, y) = (i32::from(lparam.0 as i16), i32::from((lparam.0 >> 16) as i16));
            for (id, _, top) in BUTTONS {
                let rect = rect_of(top);
                if (rect.left..rect.right).contains(&x) && (rect.top..rect.bottom).contains(&y) {
                    press(id.0);
                }
            }
        }
        WM_DESTROY => unsafe { PostQuitMessage(0) },
        _ => return unsafe { DefWindowProcW(window, message, wparam, lparam) },
    }
    LRESULT(0)
}

fn main() -> Result<()> {
    let file = std::env::args().nth(1).expect("Usage: uiahost-accesskit-target JOURNAL");
    JOURNAL.set(file).expect("it is set once");
    unsafe {
        let module = GetModuleHandleW(None)?;
        let class = WNDCLASSW {
            hCursor: LoadCursorW(None, IDC_ARROW)?,
            hInstance: module.into(),
            lpszClassName: w!("UiahostAccessKitTarget"),
            lpfnWndProc: Some(procedure),
            ..Default::default()
        };
        RegisterClassW(&class);
        let window = CreateWindowExW(
            Default::default(),
            class.lpszClassName,
            w!("AccessKit order form"),
            WS_OVERLAPPEDWINDOW,
            CW_USEDEFAULT,
            CW_USEDEFAULT,
            400,
            300,
            None,
            None,
            Some(module.into()),
            None,
        )?;
        // before the window shows: UI Automation must not have asked it yet
        let _adapter = SubclassingAdapter::new(window, Form, Presses(window.0 as isize));
        let _ = ShowWindow(window, SW_SHOWNOACTIVATE);
        let mut message = MSG::default();
        while GetMessageW(&mut message, None, 0, 0).into() {
            let _ = TranslateMessage(&message);
            DispatchMessageW(&message);
        }
    }
    Ok(())
}
