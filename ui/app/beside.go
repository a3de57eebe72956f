package app

import "mcploupe/ui/kit"

// besideRows are the keys by which somebody in a list goes through the views of what is selected there, without leaving the list.
// Where what is beside the list is not on the screen, it is gone to.
func (m *Model) besideRows() []kit.Row {
	if m.focus >= panels || m.home != nil {
		return nil
	}
	side := atMain
	t, ok := m.pane(side).(kit.Tabbed)
	if !ok {
		return nil
	}
	rows := kit.TabRows(t)
	for i := range rows {
		step := rows[i].Do
		rows[i].Quiet = true
		rows[i].Do = func() kit.Intent {
			if m.arrange(); !m.lay.shown(side) {
				m.setFocus(side)
				return nil
			}
			return step()
		}
	}
	return rows
}
