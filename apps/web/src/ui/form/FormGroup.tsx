import { DownOutlined, RightOutlined } from '@ant-design/icons'
import { type ReactNode, useId, useState } from 'react'
import './form.css'

type Props = {
  title: string
  /** One line that says what these fields are for. */
  hint: string
  /** Rarely needed: folded until the user asks, or a field of it has an error. */
  rare?: boolean
  children: ReactNode
}

/** Fields that belong together, under one heading. */
export const FormGroup = ({ title, hint, rare = false, children }: Props) => {
  const [isOpen, setOpen] = useState(!rare)
  const id = useId()
  return (
    <section className="form-group" aria-labelledby={id}>
      <h3 id={id}>
        {rare ? (
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? <DownOutlined /> : <RightOutlined />} {title}
          </button>
        ) : (
          title
        )}
      </h3>
      <p>{hint}</p>
      <div className="form-grid" data-folded={!isOpen}>
        {children}
      </div>
    </section>
  )
}
