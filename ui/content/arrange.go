package content

// arrange finds where each block begins. When rows above become more or fewer, or all are laid out for another width, what is under
// the cursor stays there, and where it was on the screen; when that is out of view, what stands at the top.
func (v *View) arrange() {
	top, at := v.held(v.top), v.held(v.at)
	inView := v.top <= v.at && v.at < v.top+max(v.h, 1)
	wide := v.laidW != v.w
	v.laidW = v.w
	v.lay()
	if v.render() {
		v.lay()
	}
	if v.at = v.now(at, wide); inView {
		v.top = max(v.at-(at.row-top.row), 0)
	} else {
		v.top = v.now(top, wide)
	}
	v.at = min(max(v.at, 0), max(v.total()-1, 0))
	for i, b := range v.blocks {
		b.laid.lead = v.lead(b)
		b.laid.rows = v.starts[i+1] - v.starts[i] - b.laid.lead
	}
}

// lay lays all blocks out.
func (v *View) lay() {
	v.starts = append(v.starts[:0], 0)
	n := 0
	for _, b := range v.blocks {
		n += v.lead(b)
		if f := b.form(); f != nil {
			f.lay(v.env, v.w, v.h)
			n += f.rows()
		}
		n++ // a blank row
		v.starts = append(v.starts, n)
	}
	if n > 0 {
		v.starts[len(v.starts)-1]-- // but not behind the last
	}
}

// held is a row by its block.
type held struct{ row, block, in int }

func (v *View) held(row int) held {
	if len(v.starts) != len(v.blocks)+1 { // they were not arranged yet
		return held{row, -1, 0}
	}
	i, k := v.find(row)
	return held{row, i, k}
}

// now is where a row is now. In what is broken anew it is found by how far it is inside.
func (v *View) now(h held, wide bool) int {
	if h.block < 0 {
		return h.row
	}
	b := v.blocks[h.block]
	lead, rows := v.lead(b), v.starts[h.block+1]-v.starts[h.block]-v.lead(b)
	k := h.in
	if k >= b.laid.lead {
		k -= b.laid.lead
		if _, again := b.form().(slow); (wide || again) && b.laid.rows > 0 && b.laid.rows != rows {
			k = k * rows / b.laid.rows
		}
		k += lead
	}
	return v.starts[h.block] + min(k, max(lead+rows-1, 0))
}
