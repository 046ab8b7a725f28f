// A real WinForms program: a form with the usual controls. Its own events say what it was told; Save shows them all in one field.
using System;
using System.Collections.Generic;
using System.Drawing;
using System.Linq;
using System.Windows.Forms;

static class Forms
{
    static readonly Dictionary<string, string> told = new Dictionary<string, string>();

    [STAThread]
    static void Main()
    {
        Application.EnableVisualStyles();
        var form = new Form { Text = "WinForms order", ClientSize = new Size(700, 470), StartPosition = FormStartPosition.Manual, Location = new Point(20, 20) };
        var y = 40;
        T Add<T>(string label, T control, int height = 24) where T : Control
        {
            if (label != null) form.Controls.Add(new Label { Text = label, Left = 10, Top = y + 3, Width = 80 });
            control.SetBounds(95, y, 220, height);
            form.Controls.Add(control);
            y += height + 6;
            return control;
        }
        var customer = Add("Customer:", new TextBox { Name = "customer" });
        customer.TextChanged += (s, e) => told["customer"] = customer.Text;
        var notes = Add("Notes:", new TextBox { Name = "notes", Multiline = true, AcceptsReturn = true }, 50);
        notes.TextChanged += (s, e) => told["notes"] = notes.Text.Replace("\r\n", "/");
        var product = Add("Product:", new ComboBox { Name = "product", DropDownStyle = ComboBoxStyle.DropDownList });
        product.Items.AddRange(new object[] { "Tea", "Coffee", "Milk" });
        product.SelectedIndexChanged += (s, e) => told["product"] = product.Text;
        var size = Add("Size:", new ComboBox { Name = "size" });
        size.Items.AddRange(new object[] { "Small", "Large" });
        size.TextChanged += (s, e) => told["size"] = size.Text;
        var quantity = Add("Quantity:", new NumericUpDown { Name = "quantity", Maximum = 50, Value = 7 });
        var express = Add(null, new CheckBox { Name = "express", Text = "&Express" });
        express.CheckedChanged += (s, e) => told["express"] = express.Checked.ToString();
        var invoice = Add(null, new RadioButton { Name = "invoice", Text = "By &invoice" });
        invoice.CheckedChanged += (s, e) => told["invoice"] = invoice.Checked.ToString();
        var discount = Add("Discount:", new TrackBar { Name = "discount", Maximum = 10 }, 40);
        discount.ValueChanged += (s, e) => told["discount"] = discount.Value.ToString();
        var colours = Add("Colour:", new ListBox { Name = "colour" }, 50);
        colours.Items.AddRange(new object[] { "Red", "Green", "Blue" });
        colours.SelectedIndexChanged += (s, e) => told["colour"] = colours.Text;

        var right = 40;
        T Beside<T>(T control, int height) where T : Control
        {
            control.SetBounds(340, right, 340, height);
            form.Controls.Add(control);
            right += height + 6;
            return control;
        }
        var orders = Beside(new ListView { Name = "orders", View = View.Details, FullRowSelect = true, HideSelection = false }, 110);
        orders.Columns.Add("Number", 120);
        orders.Columns.Add("Status", 120);
        for (var row = 1; row <= 3; row++) orders.Items.Add(new ListViewItem(new[] { "2026-000" + row, row == 2 ? "open" : "sent" }));
        orders.SelectedIndexChanged += (s, e) => { if (orders.SelectedItems.Count > 0) told["order"] = orders.SelectedItems[0].Text; };
        var places = Beside(new TreeView { Name = "places", HideSelection = false }, 90);
        places.Nodes.Add("Austria").Nodes.Add("Vienna");
        places.Nodes.Add("Germany").Nodes.Add("Berlin");
        places.AfterSelect += (s, e) => told["place"] = e.Node.FullPath;
        var pages = Beside(new TabControl { Name = "pages" }, 60);
        pages.TabPages.Add("General");
        pages.TabPages.Add("Delivery");
        pages.SelectedIndexChanged += (s, e) => told["page"] = pages.SelectedTab.Text;
        var saved = Beside(new TextBox { Name = "saved", ReadOnly = true, Multiline = true }, 70);
        var save = Beside(new Button { Name = "save", Text = "Check &order" }, 26);
        // A spinner takes over what was typed when it is left, or asked.
        save.Click += (s, e) => told["quantity"] = quantity.Value.ToString();
        save.Click += (s, e) => saved.Text = string.Join("; ", told.OrderBy(each => each.Key, StringComparer.Ordinal).Select(each => each.Key + "=" + each.Value));
        var never = Beside(new Button { Name = "never", Text = "Not available", Enabled = false }, 26);
        Application.Run(form);
    }
}
