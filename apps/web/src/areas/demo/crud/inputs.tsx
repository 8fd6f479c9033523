import { DEMO_TAG, DEMO_TAGS } from '@tocsin/contract/demo/item'
import { InputNumber, Select, type SelectProps, Slider } from 'antd'

type Held<T> = { value?: T | null; onChange?: (value: T | null) => void; id?: string }

/** Yuan for users, fen for the call. */
export const YuanInput = ({ value, onChange, id }: Held<number>) => (
  <InputNumber
    {...(id && { id })}
    prefix="¥"
    min={0}
    max={9_999_999.99}
    step={1}
    precision={2}
    style={{ width: '100%' }}
    value={value === null || value === undefined ? null : value / 100}
    onChange={(yuan) => onChange?.(yuan === null ? null : Math.round(yuan * 100))}
  />
)

/** A range from zero to the maximum, by a slider. @param label the label of the handle */
export const PercentInput = ({ value, onChange, label }: Held<number> & { label: string }) => (
  <Slider min={0} max={100} ariaLabelForHandle={label} value={value ?? 0} onChange={(part) => onChange?.(part)} />
)

/** Typed tags, each ended by Enter, a space or a comma. */
export const TagsInput = ({ onChange, ...rest }: SelectProps<string[]>) => (
  <Select<string[]>
    mode="tags"
    maxCount={DEMO_TAGS}
    tokenSeparators={[',', ' ', '，']}
    open={false}
    suffixIcon={null}
    onChange={(tags, options) =>
      onChange?.(
        tags.map((tag) => tag.slice(0, DEMO_TAG)),
        options,
      )
    }
    {...rest}
  />
)
