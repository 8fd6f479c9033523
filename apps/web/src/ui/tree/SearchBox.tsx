import { SearchOutlined } from '@ant-design/icons'
import { Input } from 'antd'

type Props = { label: string; value: string; onChange: (text: string) => void; autoFocus?: boolean }

/** Filters the content below while typing. */
export const SearchBox = ({ label, value, onChange, autoFocus = false }: Props) => (
  <Input
    allowClear
    autoFocus={autoFocus}
    prefix={<SearchOutlined aria-hidden />}
    value={value}
    placeholder={label}
    aria-label={label}
    onChange={({ target }) => onChange(target.value)}
  />
)
