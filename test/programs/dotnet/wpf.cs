// A real WPF program: what it was told is shown in one text, and in the window's title.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Windows;
using System.Windows.Controls;

static class Wpf
{
    static readonly Dictionary<string, string> told = new Dictionary<string, string>();

    [STAThread]
    static void Main()
    {
        var panel = new StackPanel { Margin = new Thickness(8) };
        T Add<T>(T control) where T : FrameworkElement
        {
            control.Margin = new Thickness(0, 0, 0, 6);
            panel.Children.Add(control);
            return control;
        }
        var window = new Window { Title = "WPF order", Width = 420, Height = 330, Left = 60, Top = 60, Content = panel };
        var saved = new TextBox { Name = "saved", IsReadOnly = true };
        void Tell(string key, string what)
        {
            told[key] = what;
            saved.Text = string.Join("; ", told.OrderBy(each => each.Key, StringComparer.Ordinal).Select(each => each.Key + "=" + each.Value));
            window.Title = "WPF order: " + saved.Text;
        }
        var customer = Add(new TextBox { Name = "customer" });
        customer.TextChanged += (s, e) => Tell("customer", customer.Text);
        var express = Add(new CheckBox { Name = "express", Content = "Express" });
        express.Checked += (s, e) => Tell("express", "True");
        var colours = Add(new ListBox { Name = "colours", Height = 80 });
        foreach (var colour in new[] { "Red", "Green", "Blue" }) colours.Items.Add(colour);
        colours.SelectionChanged += (s, e) => Tell("colour", (string)colours.SelectedItem);
        var product = Add(new ComboBox { Name = "product" });
        foreach (var each in new[] { "Tea", "Coffee" }) product.Items.Add(each);
        product.SelectionChanged += (s, e) => Tell("product", (string)product.SelectedItem);
        var order = Add(new Button { Name = "order", Content = "Check order" });
        order.Click += (s, e) => Tell("checked", "True");
        Add(saved);
        new Application().Run(window);
    }
}
