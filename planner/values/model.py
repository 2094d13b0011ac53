"""The neural network: its architecture, and the counts that follow from it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Model:
    """A decoder-only transformer, as a Hugging Face config.json describes it.

    ``hidden``, ``ffn`` and ``head_dim`` are widths in elements. ``ffn`` is the width of a dense block's
    inner layer; ``expert_ffn`` that of one expert (0: a dense model). ``parameters_stated`` is the count
    that the publisher prints, where it is known; otherwise the count follows from the architecture.
    ``is_typical`` marks an architecture that was chosen for a plain size such as "14B".
    """

    name: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    is_gated: bool = True
    is_tied: bool = False
    has_attention_bias: bool = False
    experts: int = 0
    experts_per_token: int = 0
    shared_experts: int = 0
    expert_ffn: int = 0
    dense_layers: int = 0
    kv_lora_rank: int = 0
    q_lora_rank: int = 0
    rope_head_dim: int = 0
    v_head_dim: int = 0
    sliding_window: int = 0
    max_positions: int = 0
    parameters_stated: int = 0
    is_typical: bool = False

    @property
    def query_width(self) -> int:
        """Elements of all query heads together."""
        return self.heads * self.head_dim

    @property
    def kv_width(self) -> int:
        """Elements of all key (or value) heads together."""
        return self.kv_heads * self.head_dim

    @property
    def is_moe(self) -> bool:
        return self.experts > 0

    @property
    def is_mla(self) -> bool:
        """Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434)."""
        return self.kv_lora_rank > 0

    @property
    def mlp_matrices(self) -> int:
        """Weight matrices of one feed-forward block: gate, up, down, or up, down."""
        return 3 if self.is_gated else 2

    @property
    def attention_parameters(self) -> int:
        """Parameters of one layer's attention, biases left out."""
        if not self.is_mla:
            return self.hidden * (2 * self.query_width + 2 * self.kv_width)
        q_head = self.head_dim + self.rope_head_dim
        query = (
            self.q_lora_rank * (self.hidden + self.heads * q_head)
            if self.q_lora_rank
            else self.hidden * self.heads * q_head
        )
        value_dim = self.v_head_dim or self.head_dim
        latent = self.hidden * (self.kv_lora_rank + self.rope_head_dim)
        expand = self.kv_lora_rank * self.heads * (self.head_dim + value_dim)
        return query + latent + expand + self.heads * value_dim * self.hidden

    @property
    def dense_mlp_parameters(self) -> int:
        return self.mlp_matrices * self.hidden * self.ffn

    @property
    def expert_parameters(self) -> int:
        """Parameters of one expert."""
        return self.mlp_matrices * self.hidden * (self.expert_ffn or self.ffn)

    @property
    def moe_layers(self) -> int:
        return self.layers - self.dense_layers if self.is_moe else 0

    def _mlp_parameters(self, experts: int) -> int:
        """Feed-forward parameters of all layers when ``experts`` routed experts count per MoE layer."""
        dense = (self.layers - self.moe_layers) * self.dense_mlp_parameters
        routed = self.moe_layers * (experts + self.shared_experts) * self.expert_parameters
        router = self.moe_layers * self.experts * self.hidden
        return dense + routed + router

    @property
    def embedding_parameters(self) -> int:
        """The input embedding; the output head has as many again unless it is tied."""
        return self.vocab * self.hidden

    def _count(self, experts: int) -> int:
        norms = (2 * self.layers + 1) * self.hidden
        bias = self.layers * (self.query_width + 2 * self.kv_width) if self.has_attention_bias else 0
        ends = self.embedding_parameters * (1 if self.is_tied else 2)
        return self.layers * self.attention_parameters + self._mlp_parameters(experts) + ends + norms + bias

    @property
    def parameters(self) -> int:
        """All parameters: what memory holds."""
        return self.parameters_stated or self._count(self.experts)

    @property
    def active_parameters(self) -> int:
        """Parameters that one token passes through: what compute pays for."""
        if not self.is_moe:
            return self.parameters
        return self.parameters - (self._count(self.experts) - self._count(self.experts_per_token))

    @property
    def linear_parameters(self) -> int:
        """Parameters of the linear layers inside the blocks: what QLoRA quantizes, what LoRA can target."""
        return self.layers * self.attention_parameters + self._mlp_parameters(self.experts)

    @property
    def layer_parameters(self) -> int:
        """Parameters of an average layer (all experts): what ZeRO-3 and FSDP gather at a time."""
        return self.linear_parameters // self.layers

    @property
    def kv_elements_per_token(self) -> int:
        """Elements of the key-value cache per token, over all layers."""
        if self.is_mla:
            return self.layers * (self.kv_lora_rank + self.rope_head_dim)
        return 2 * self.layers * self.kv_width
