// An editor and an empty place below it, in Windows Forms or WPF: what reaches them goes to the file that is named, one line of JSON each.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Forms = System.Windows.Forms;
using Wpf = System.Windows;

static class Receivers
{
    const int Width = 420, Height = 300, Half = 120;
    static StreamWriter told;
    static string last = "";

    static string Quoted(string text) => "\"" + text.Replace("\\", "\\\\").Replace("\"", "\\\"").Replace("\r", "").Replace("\n", "\\n").Replace("\t", "\\t") + "\"";
    static void Say(string what, string more = "") => told.WriteLine("{\"event\":" + Quoted(what) + more + "}");
    static void At(string what, double x, double y) => Say(what, ",\"x\":" + (int)x + ",\"y\":" + (int)(y + Half));
    static void Key(string name, bool shift, bool ctrl, bool alt)
    {
        var held = new[] { shift ? "shift" : "", ctrl ? "ctrl" : "", alt ? "alt" : "" }.Where(each => each != "").Select(Quoted);
        Say("key", ",\"key\":" + Quoted(name.ToLowerInvariant()) + ",\"held\":[" + string.Join(",", held) + "]");
    }
    /** The whole text of the editor, where it has changed. */
    static void Keep(string text)
    {
        if (text == last) return;
        last = text;
        Say("text", ",\"text\":" + Quoted(text));
    }

    /** Windows Forms' own drawing: a control without a class of Windows beneath it takes the text. */
    class Editor : Forms.Control
    {
        public Editor() { SetStyle(Forms.ControlStyles.Selectable | Forms.ControlStyles.UserPaint, true); TabStop = true; }
        protected override bool IsInputKey(Forms.Keys key) => true;
        protected override void OnMouseDown(Forms.MouseEventArgs e) { Focus(); base.OnMouseDown(e); }
        protected override void OnKeyPress(Forms.KeyPressEventArgs e)
        {
            if (e.KeyChar >= ' ' || e.KeyChar == '\r' || e.KeyChar == '\t') Text += e.KeyChar == '\r' ? '\n' : e.KeyChar;
            Keep(Text);
        }
    }

    static void UseForms()
    {
        var form = new Forms.Form { Text = "probe winforms", ClientSize = new System.Drawing.Size(Width, Height), StartPosition = Forms.FormStartPosition.Manual, Location = new System.Drawing.Point(80, 80) };
        var bar = new Forms.MenuStrip();
        var file = new Forms.ToolStripMenuItem("&File");
        file.DropDownOpened += (s, e) => Say("menu");
        file.DropDownItems.Add(new Forms.ToolStripMenuItem("&New", null, (s, e) => Say("chosen")) { ShortcutKeys = Forms.Keys.Control | Forms.Keys.G });
        bar.Items.Add(file);
        var editor = new Editor { Left = 0, Top = 30, Width = Width, Height = Half - 30, BackColor = System.Drawing.Color.White };
        editor.KeyDown += (s, e) => Key(e.KeyCode.ToString(), e.Shift, e.Control, e.Alt);
        var pad = new Forms.Panel { Left = 0, Top = Half, Width = Width, Height = Height - Half };
        pad.MouseDown += (s, e) => At("press", e.X, e.Y);
        pad.MouseUp += (s, e) => At("release", e.X, e.Y);
        pad.MouseMove += (s, e) => At(e.Button == Forms.MouseButtons.Left ? "drag" : "hover", e.X, e.Y);
        pad.MouseWheel += (s, e) => Say("wheel");
        form.Controls.Add(editor);
        form.Controls.Add(pad);
        form.Controls.Add(bar);
        form.MainMenuStrip = bar;
        form.Shown += (s, e) => { editor.Focus(); Say("ready"); };
        Forms.Application.Run(form);
    }

    static void UseWpf()
    {
        var canvas = new Wpf.Controls.Canvas { Width = Width, Height = Height };
        void Put(Wpf.FrameworkElement element, double top, double height)
        {
            Wpf.Controls.Canvas.SetTop(element, top);
            element.Width = Width;
            element.Height = height;
            canvas.Children.Add(element);
        }
        var bar = new Wpf.Controls.Menu();
        var file = new Wpf.Controls.MenuItem { Header = "_File" };
        file.SubmenuOpened += (s, e) => Say("menu");
        var entry = new Wpf.Controls.MenuItem { Header = "_New" };
        entry.Click += (s, e) => Say("chosen");
        file.Items.Add(entry);
        bar.Items.Add(file);
        var editor = new Wpf.Controls.TextBox { AcceptsReturn = true, AcceptsTab = true };
        editor.TextChanged += (s, e) => Keep(editor.Text);
        editor.PreviewKeyDown += (s, e) =>
        {
            var key = e.Key == Wpf.Input.Key.System ? e.SystemKey : e.Key;
            var held = e.KeyboardDevice.Modifiers;
            Key(key.ToString(), held.HasFlag(Wpf.Input.ModifierKeys.Shift), held.HasFlag(Wpf.Input.ModifierKeys.Control), held.HasFlag(Wpf.Input.ModifierKeys.Alt));
        };
        var pad = new Wpf.Controls.Border { Background = Wpf.Media.Brushes.White };
        void Where(string what, Wpf.Input.MouseEventArgs e) => At(what, e.GetPosition(pad).X, e.GetPosition(pad).Y);
        pad.MouseDown += (s, e) => { pad.CaptureMouse(); Where("press", e); };
        pad.MouseUp += (s, e) => { pad.ReleaseMouseCapture(); Where("release", e); };
        pad.MouseMove += (s, e) => Where(e.LeftButton == Wpf.Input.MouseButtonState.Pressed ? "drag" : "hover", e);
        pad.MouseWheel += (s, e) => Say("wheel");
        Put(bar, 0, 25);
        Put(editor, 30, Half - 30);
        Put(pad, Half, Height - Half);
        var window = new Wpf.Window { Title = "probe wpf", SizeToContent = Wpf.SizeToContent.WidthAndHeight, Left = 80, Top = 80, Content = canvas };
        window.ContentRendered += (s, e) => { editor.Focus(); Say("ready"); };
        new Wpf.Application().Run(window);
    }

    [STAThread]
    static void Main(string[] arguments)
    {
        told = new StreamWriter(new FileStream(arguments[1], FileMode.Append, FileAccess.Write, FileShare.ReadWrite), new UTF8Encoding(false)) { AutoFlush = true };
        try { if (arguments[0] == "wpf") UseWpf(); else UseForms(); }
        catch (Exception error) { Say("failed", ",\"error\":" + Quoted(error.ToString())); throw; }
    }
}
