import { DownOutlined } from '@ant-design/icons'
import { Input, type InputRef, Popover, Skeleton } from 'antd'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyComponent } from '../lazy/lazy-component.tsx'
import { EntryIconImage } from './EntryIconImage.tsx'
import './icon.css'

// Contains three hundred icons, loaded on first use.
const IconPanel = lazyComponent(async () => (await import('./IconPanel.tsx')).IconPanel, {
  before: <Skeleton active />,
})

type Props = {
  value?: string | null
  onChange?: (value: string | null) => void
  id?: string
  disabled?: boolean
}

/** The name of an icon, typed or picked; a value of a Form.Item. A click elsewhere and Esc close the panel. */
export const IconPicker = ({ value, onChange, id, disabled = false }: Props) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  const input = useRef<InputRef>(null)
  const panel = useId()
  const close = () => {
    setOpen(false)
    input.current?.focus()
  }
  const pick = (name: string) => {
    onChange?.(name)
    close()
  }
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    // The drawer around the form stays open.
    event.stopPropagation()
    close()
  }
  const content = (
    <div id={panel} role="dialog" aria-label={t('icon.choose')} className="icon-popover" onKeyDown={leave}>
      <IconPanel chosen={value} onPick={pick} />
    </div>
  )
  return (
    <Popover
      open={open && !disabled}
      onOpenChange={setOpen}
      trigger="click"
      placement="bottomLeft"
      destroyOnHidden
      content={content}
    >
      <Input
        ref={input}
        {...(id && { id })}
        allowClear
        disabled={disabled}
        maxLength={100}
        value={value ?? ''}
        placeholder={t('icon.choose')}
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={panel}
        prefix={
          <span className="icon-chosen" aria-hidden>
            {value ? <EntryIconImage name={value} letter="" /> : null}
          </span>
        }
        suffix={<DownOutlined aria-hidden />}
        onChange={({ target }) => onChange?.(target.value || null)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && open) leave(event)
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      />
    </Popover>
  )
}
